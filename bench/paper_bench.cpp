// `headroom reproduce` beside a PyTorch program of Algorithms 1 to 5 (usage: peer WEIGHTS.npy LOGITS.npy VECTORS.npy
// [MAX_TOP]), on the bundled model's heads, both with two threads, in turn. The peer's heads are independent, so it is
// timed on a few of them and counted per head; ours runs whole, loading, tokenizing and drawing included, and is
// divided by all its heads. The peer prints seconds and no values, so only times are compared; that ours are numbers is
// checked in the figures it wrote.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/bundled.hpp"
#include "app/model_folder.hpp"
#include "app/output.hpp"
#include "bench/bundled_window.hpp"
#include "bench/child.hpp"
#include "bench/scratch_folder.hpp"
#include "bench/spread.hpp"
#include "model/npy_write.hpp"

namespace headroom::bench {
namespace {

struct Options {
  std::string peer;
  std::string python = "python3";
  std::string program = HEADROOM_PROGRAM;
  std::size_t length = 1024;
  std::size_t heads = 2;
  std::size_t top = 100;
  int rounds = 3;
};

const std::string two_threads = "env OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 MKL_NUM_THREADS=2 ";

void save(const std::string& file, const std::vector<std::size_t>& shape, const std::vector<double>& values) {
  app::write_file(file, model::npy_bytes(shape, values, model::NpyFloat::float32));
}

/// Writes weights, raw logits and embedding vectors of `heads` heads, evenly spread over all, for the peer. Returns how
/// many there are in all.
std::size_t write_heads(const Options& o, const ScratchFolder& folder) {
  const app::ModelFolder model = app::ModelFolder::open(app::bundled_model(), 2);
  const model::Activations activations = model.transformer.forward(bundled_window(model.tokenizer, o.length));
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    for (std::size_t head = 0; head < activations.heads(layer); ++head) all.emplace_back(layer, head);
  }
  if (o.heads == 0 || o.heads > all.size()) throw std::runtime_error(fmt::format("1 to {} heads", all.size()));
  const std::size_t area = o.length * o.length;
  std::vector<double> weights(o.heads * area);
  std::vector<double> logits(o.heads * area);
  for (std::size_t h = 0; h < o.heads; ++h) {
    const auto [layer, head] = all[(2 * h + 1) * all.size() / (2 * o.heads)];
    activations.weights(layer, head, {weights.data() + h * area, o.length, o.length});
    activations.logits(layer, head, {logits.data() + h * area, o.length, o.length});
  }
  // What follows a row's last visible token is of no meaning; the peer masks it, and wants numbers.
  for (std::size_t row = 0; row < o.heads * o.length; ++row) {
    for (std::size_t i = row % o.length + 1; i < o.length; ++i) logits[row * o.length + i] = 0;
  }
  const MatrixView<const float> x = activations.embedding();
  std::vector<double> vectors;
  for (std::size_t i = 0; i < x.rows; ++i) vectors.insert(vectors.end(), x.row(i).begin(), x.row(i).end());
  save(folder.file("weights.npy"), {o.heads, o.length, o.length}, weights);
  save(folder.file("logits.npy"), {o.heads, o.length, o.length}, logits);
  save(folder.file("vectors.npy"), {x.rows, x.cols}, vectors);
  return all.size();
}

/// Seconds per head, round by round.
struct Peer {
  std::vector<double> distance, separability, sensitivity, total, processor;
};

void run_peer(const Options& o, const ScratchFolder& folder, Peer& peer) {
  std::string command = two_threads + quoted(o.python) + " " + quoted(o.peer);
  for (const char* name : {"weights.npy", "logits.npy", "vectors.npy"}) command += " " + quoted(folder.file(name));
  const Child child = run_child(command + fmt::format(" {}", o.top));
  double first = 0;
  double fourth = 0;
  double fifth = 0;
  double total = 0;
  const int read =
      std::sscanf(child.output.c_str(), "heads %*u L %*u algorithms 1-3: %lf s 4: %lf s 5: %lf s total %lf", &first,
                  &fourth, &fifth, &total);
  if (read != 4) throw std::runtime_error("not the seconds of Algorithms 1 to 5: " + child.output);
  const double heads = static_cast<double>(o.heads);
  peer.distance.push_back(first / heads);
  peer.separability.push_back(fourth / heads);
  peer.sensitivity.push_back(fifth / heads);
  peer.total.push_back(total / heads);
  peer.processor.push_back(child.processor_seconds / heads);
}

void require_numbers(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  std::size_t rows = 0;
  for (; std::getline(stream, line); ++rows) {
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (end == cell.c_str() || !std::isfinite(value)) throw std::runtime_error(file + " holds " + cell);
    }
  }
  if (rows == 0) throw std::runtime_error(file + " is empty");
}

struct Ours {
  std::vector<double> total, processor;
  double peak_mebibytes = 0;
};

void run_ours(const Options& o, const ScratchFolder& folder, std::size_t heads, Ours& ours) {
  const std::string output = folder.file("out");
  const Child child = run_child(two_threads + quoted(o.program) + fmt::format(" reproduce --length {}", o.length) +
                                " -o " + quoted(output) + " 2>/dev/null");
  require_numbers(output + "/figure2b.csv");
  ours.total.push_back(child.seconds / static_cast<double>(heads));
  ours.processor.push_back(child.processor_seconds / static_cast<double>(heads));
  ours.peak_mebibytes = std::max(ours.peak_mebibytes, child.peak_mebibytes);
}

void print(const char* what, const std::vector<double>& seconds) {
  const Spread s = spread(seconds);
  fmt::print("{:<36}{:>12.4f}{:>12.4f}{:>12.4f}\n", what, s.median, s.least, s.most);
}

void run(const Options& o) {
  const ScratchFolder folder;
  const std::size_t heads = write_heads(o, folder);
  Peer peer;
  Ours ours;
  for (int round = 0; round < o.rounds; ++round) {
    run_peer(o, folder, peer);
    run_ours(o, folder, heads, ours);
  }
  fmt::print("L = {}, peer on {} heads with N up to {}, ours on all {} with the full grids; two threads, {} rounds\n",
             o.length, o.heads, o.top, heads, o.rounds);
  fmt::print("{:<36}{:>12}{:>12}{:>12}\n", "seconds per head", "median", "least", "most");
  print("peer, Algorithms 1 to 3", peer.distance);
  print("peer, Algorithm 4", peer.separability);
  print("peer, Algorithm 5", peer.sensitivity);
  print("peer", peer.total);
  print("ours, everything", ours.total);
  print("peer, processor, with its start", peer.processor);
  print("ours, processor", ours.processor);
  const Spread wall = ratio(peer.total, ours.total);
  fmt::print("ours is {:.1f} times faster (rounds {:.1f} to {:.1f}); in processor time {:.1f} times\n", wall.median,
             wall.least, wall.most, ratio(peer.processor, ours.processor).median);
  const double all = static_cast<double>(heads);
  fmt::print("{} heads: peer {:.0f} s, ours {:.1f} s and {:.0f} MiB at most\n", heads, spread(peer.total).median * all,
             spread(ours.total).median * all, ours.peak_mebibytes);
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  headroom::bench::Options options;
  CLI::App program{"reproduce beside a PyTorch program of the same algorithms"};
  program.add_option("peer", options.peer, "paper.py")->required();
  program.add_option("--python", options.python, "with torch and numpy")->capture_default_str();
  program.add_option("--program", options.program, "headroom")->capture_default_str();
  program.add_option("--length", options.length)->capture_default_str();
  program.add_option("--heads", options.heads, "that the peer is timed on")->capture_default_str();
  program.add_option("--top", options.top, "largest N of the peer's Algorithms 1 to 3")->capture_default_str();
  program.add_option("--rounds", options.rounds)->capture_default_str();
  CLI11_PARSE(program, argc, argv);
  try {
    headroom::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "paper_bench: {}\n", error.what());
    return 3;
  }
  return 0;
}
