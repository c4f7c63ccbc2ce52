#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "app/model_folder.hpp"
#include "model/activations.hpp"

namespace headroom::app {

/// Which windows of which text a model reads.
struct WindowSource {
  std::string model;  ///< empty: the bundled one
  std::string text;   ///< empty: Moby-Dick
  std::size_t length = 0;
  bool bos = false;

  bool operator==(const WindowSource&) const = default;
};

/// The files that stand for the names of a source.
[[nodiscard]] std::filesystem::path model_path(const std::string& model);
[[nodiscard]] std::filesystem::path text_path(const std::string& text);

/// Forward passes, kept as long as they fit in a budget of memory, the one used last the longest: cells that differ in
/// their normalizer share them. Each runs on one thread, so that its bytes do not depend on how many there are. May be
/// used by several threads, which wait for each other.
class WindowPasses {
 public:
  explicit WindowPasses(std::size_t budget = std::size_t{512} << 20) : budget_(budget) {}

  using Pass = std::shared_ptr<const model::Activations>;

  /// Throws input errors: files that are missing or unusable, a length beyond the model's context, a text with fewer
  /// windows than `count`, saying how many it has.
  void require(const WindowSource& source, std::size_t count);

  /// Window `window`, from 0. Throws as require().
  [[nodiscard]] Pass of(const WindowSource& source, std::size_t window);

 private:
  struct Kept {
    WindowSource source;
    std::size_t window = 0;
    std::size_t bytes = 0;
    Pass pass;
  };

  void open(const WindowSource& source, std::size_t count);

  std::size_t budget_;
  std::mutex mutex_;
  std::list<Kept> kept_;  // the one used last in front
  std::string opened_;    // the name of the model
  std::unique_ptr<const ModelFolder> model_;
  WindowSource cut_;  // what `windows_` are of
  TextWindows windows_;
};

}  // namespace headroom::app
