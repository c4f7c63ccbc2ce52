#include "app/model_folder.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "model/text.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

// Models pad their vocabulary to a convenient multiple; a larger difference means another tokenizer.
constexpr std::size_t largest_padding = 1024;

void require_fit(const model::Tokenizer& tokenizer, const model::Transformer& transformer, const fs::path& onnx) {
  const std::optional<std::size_t> model_size = transformer.vocabulary();
  const std::size_t size = tokenizer.vocabulary_size();
  if (!model_size || (size <= *model_size && *model_size - size < largest_padding)) return;
  throw_input(fmt::format("the tokenizer has {} tokens and the model's vocabulary {}", size, *model_size),
              (onnx.parent_path() / "vocab.json").string(), "use the vocab.json and merges.txt of this model");
}

}  // namespace

fs::path onnx_path(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw_input("there is no such model", path.string(), "name an .onnx file, or a folder with model.onnx");
  }
  return fs::is_directory(path, error) ? path / "model.onnx" : path;
}

ModelFolder ModelFolder::open(const fs::path& path, int threads) {
  const fs::path onnx = onnx_path(path);
  const fs::path folder = onnx.parent_path();
  model::Tokenizer tokenizer = model::Tokenizer::load(folder / "vocab.json", folder / "merges.txt");
  model::Transformer transformer = model::Transformer::load(onnx, threads);
  require_fit(tokenizer, transformer, onnx);
  return {onnx, std::move(transformer), std::move(tokenizer)};
}

TextWindows read_windows(const model::Tokenizer& tokenizer, const fs::path& text, std::size_t length, std::size_t count,
                         bool bos) {
  const std::vector<model::TokenId> ids = tokenizer.encode(model::read_text(text), text.string());
  const std::size_t step = length - (bos ? 1 : 0);
  if (const std::size_t has = ids.size() / step; has < count) {
    const std::string remedy = "give a longer text, a shorter --length or fewer --windows";
    if (count == 1)
      throw_input(fmt::format("the text has {} tokens and {} are needed", ids.size(), step), text.string(), remedy);
    throw_input(fmt::format("the text has {} tokens, which are {} windows of {}; {} are asked for", ids.size(), has,
                            step, count),
                text.string(), remedy);
  }
  if (bos && !tokenizer.end_of_text()) {
    throw_input("the vocabulary has no <|endoftext|> to begin with", text.string(), "leave out --bos");
  }
  TextWindows result{ids.size(), step, std::vector<std::vector<std::int64_t>>(count)};
  for (std::size_t w = 0; w < count; ++w) {
    std::vector<std::int64_t>& window = result.windows[w];
    if (bos) window.push_back(static_cast<std::int64_t>(*tokenizer.end_of_text()));
    for (std::size_t i = 0; i < step; ++i) window.push_back(static_cast<std::int64_t>(ids[w * step + i]));
  }
  return result;
}

}  // namespace headroom::app
