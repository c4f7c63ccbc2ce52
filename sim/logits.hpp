#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/random.hpp"
#include "sim/spec.hpp"

namespace headroom::sim {

/// Where the logits of one query come from by chance. Immutable, so one object serves any number of threads.
class LogitModel {
 public:
  explicit LogitModel(std::string name) : name_(std::move(name)) {}
  virtual ~LogitModel() = default;

  /// Fills the raw logits l_i = q·k_i (before any temperature) of one query over logits.size() tokens. All randomness
  /// is taken from `stream`, in a number of draws that depends on the number of tokens alone, barring rejections. Usage
  /// error when the model cannot have that many tokens.
  virtual void fill(Stream& stream, std::span<double> logits) const = 0;

  /// The spec with every key written out, e.g. "gaussian:sigma=1".
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// What `list logits` shows: ids, keys, defaults, formulas and sources.
[[nodiscard]] std::span<const EntryInfo> logit_model_list();

/// The model of a spec such as "planted:k=4,m=2". `dim` is the embedding dimension d, which `dot` draws its queries and
/// keys in. Usage errors as in Spec, and for values out of range. `file:PATH` is not made here, because reading files
/// is the program's part: see recorded_logits and, for the path, recorded_path.
[[nodiscard]] std::unique_ptr<const LogitModel> make_logit_model(std::string_view spec, std::size_t dim);

/// The path of a spec "file:PATH"; empty for every other model.
[[nodiscard]] std::string recorded_path(std::string_view spec);

/// Rows of logits recorded from a real head, each the tokens its query saw, first token first. A draw takes one of the
/// rows that are at least as long as asked for, all equally likely, and its first tokens. `name` is the spec.
/// Input errors: no rows; a NaN or +∞, naming row and column.
[[nodiscard]] std::unique_ptr<const LogitModel> recorded_logits(std::string name,
                                                                std::vector<std::vector<double>> rows);

}  // namespace headroom::sim
