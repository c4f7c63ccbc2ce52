#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "model/tokenizer.hpp"
#include "model/transformer.hpp"

namespace headroom::app {

/// A model with its tokenizer, from a folder with model.onnx, vocab.json and merges.txt, or the path of an .onnx file
/// beside which the other two lie.
struct ModelFolder {
  std::filesystem::path onnx;
  model::Transformer transformer;
  model::Tokenizer tokenizer;

  /// Throws Error(input) when a file is missing or unusable, or the tokenizer's ids do not fit the model's vocabulary.
  static ModelFolder open(const std::filesystem::path& path, int threads);
};

/// Path of the .onnx file meant by a folder or a file. Throws Error(input) when there is nothing of that name.
[[nodiscard]] std::filesystem::path onnx_path(const std::filesystem::path& path);

/// A text cut into windows.
struct TextWindows {
  std::size_t tokens = 0;                          ///< of the whole text
  std::size_t step = 0;                            ///< tokens of the text in a window: w begins with token w·step
  std::vector<std::vector<std::int64_t>> windows;  ///< ids, all of the same length
};

/// The first `count` consecutive windows of `length` tokens of the text, each with the end-of-text token in front when
/// `bos` (then it holds length − 1 tokens of the text). Throws Error(input) when the text is shorter than asked, saying
/// how many windows it has.
[[nodiscard]] TextWindows read_windows(const model::Tokenizer& tokenizer, const std::filesystem::path& text,
                                       std::size_t length, std::size_t count, bool bos);

}  // namespace headroom::app
