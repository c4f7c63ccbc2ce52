#include "app/sweep/window_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/bundled.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

std::size_t bytes_of(const model::Activations& activations) {
  const auto elements = [](MatrixView<const float> view) { return view.rows * view.cols; };
  std::size_t floats = elements(activations.embedding());
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    floats += elements(activations.hidden(layer));
    for (std::size_t head = 0; head < activations.heads(layer); ++head) {
      floats += elements(activations.queries(layer, head)) + elements(activations.keys(layer, head)) +
                elements(activations.values(layer, head));
    }
  }
  return floats * sizeof(float);
}

}  // namespace

std::filesystem::path model_path(const std::string& model) {
  return onnx_path(model.empty() ? bundled_model() : std::filesystem::path(model));
}

std::filesystem::path text_path(const std::string& text) {
  return text.empty() ? bundled_text() : std::filesystem::path(text);
}

void WindowPasses::open(const WindowSource& source, std::size_t count) {
  if (!model_ || opened_ != source.model) {
    windows_ = {};
    model_ = std::make_unique<const ModelFolder>(ModelFolder::open(model_path(source.model), 1));
    opened_ = source.model;
  }
  if (const auto context = model_->transformer.context(); context && source.length > *context) {
    throw_input(fmt::format("{} tokens are asked for and the model's context is {}", source.length, *context),
                model_->onnx.string(), "exclude longer windows");
  }
  if (source == cut_ && windows_.windows.size() >= count) return;
  windows_ = read_windows(model_->tokenizer, text_path(source.text), source.length, count, source.bos);
  cut_ = source;
}

void WindowPasses::require(const WindowSource& source, std::size_t count) {
  const std::scoped_lock lock(mutex_);
  open(source, count);
}

WindowPasses::Pass WindowPasses::of(const WindowSource& source, std::size_t window) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.window == window && kept.source == source; });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
    return kept_.front().pass;
  }
  open(source, window + 1);
  auto pass = std::make_shared<const model::Activations>(model_->transformer.forward(windows_.windows[window]));
  const std::size_t bytes = bytes_of(*pass);
  std::size_t total = bytes;
  for (const Kept& kept : kept_) total += kept.bytes;
  for (; total > budget_ && !kept_.empty(); kept_.pop_back()) total -= kept_.back().bytes;
  kept_.push_front({source, window, bytes, pass});
  return pass;
}

}  // namespace headroom::app
