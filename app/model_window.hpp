#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/head_vectors.hpp"
#include "app/model_folder.hpp"
#include "app/run_record.hpp"

namespace CLI {
class App;
}

namespace headroom::app {

/// The options of a command that measures one window of a text on a model.
struct WindowOptions {
  std::string model;  ///< empty: the bundled one
  std::string text;   ///< empty: Moby-Dick
  std::size_t length = 1024;
  std::string vectors = "embedding";
  bool no_normalize = false;
  bool bos = false;
};

/// Adds --model, --text, --length, --vectors, --no-normalize and --bos.
void add_window_options(CLI::App& command, WindowOptions& options);

/// A model and the tokens it shall read.
struct ModelWindow {
  ModelFolder model;
  std::string text;
  std::vector<std::int64_t> ids;

  /// Loads both. Throws Error(usage) for a length below 2, Error(input) for a missing file, a text that is too short
  /// and a length beyond the model's context.
  static ModelWindow open(const WindowOptions& options);

  [[nodiscard]] std::size_t heads() const;

  /// Model, text and options.
  void describe(RunRecord& run, const WindowOptions& options) const;
};

}  // namespace headroom::app
