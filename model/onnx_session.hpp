#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/onnx_file.hpp"
#include "model/onnx_inputs.hpp"
#include "model/tensor.hpp"

namespace headroom::model {

/// Bytes that grow with the number of tokens.
struct Footprint {
  double fixed = 0;
  double linear = 0;     ///< a token
  double quadratic = 0;  ///< a pair of tokens

  [[nodiscard]] double at(std::size_t length) const;
};

/// What a run of the graph gave, until it is taken.
class SessionResults {
 public:
  /// The output at `position` of the graph's outputs, which must have been asked for. It is released here, so that
  /// only one tensor at a time exists twice.
  [[nodiscard]] Tensor take(std::size_t position);

  /// What tensors not taken yet occupy after a run over `length` tokens, as a law of their number: an extent that is a
  /// multiple of `length` is taken to grow with it.
  [[nodiscard]] Footprint footprint(std::size_t length) const;

  SessionResults(SessionResults&&) noexcept;
  ~SessionResults();

 private:
  friend class OnnxSession;
  struct Values;
  explicit SessionResults(std::unique_ptr<Values> values);
  std::unique_ptr<Values> values_;
};

/// What a run may take.
struct RunLimits {
  double bytes = 0;  ///< beside the feeds and the weights
  double seconds = 0;
};

/// A graph ready to run on ONNX Runtime, which writes nothing to the standard streams: what it has to say comes as
/// Fault::input at the model's file.
class OnnxSession {
 public:
  /// Takes the model's content away from `file`. `outputs` are its graph's outputs, in order.
  OnnxSession(OnnxFile& file, std::vector<std::string> outputs, int threads);
  OnnxSession(OnnxSession&&) noexcept;
  OnnxSession& operator=(OnnxSession&&) noexcept;
  ~OnnxSession();

  /// Names of the graph's inputs.
  [[nodiscard]] const std::vector<std::string>& inputs() const;

  /// Runs the graph for the outputs at `wanted` (three times as many bytes as in their files are put aside for the
  /// weights). May be called from several threads at once, which then share their bytes.
  /// Errors (Fault::input, at the model's file): more memory or time needed, or what ONNX Runtime finds.
  [[nodiscard]] SessionResults run(std::span<const Feed> feeds, std::span<const std::size_t> wanted,
                                   RunLimits limits) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace headroom::model
