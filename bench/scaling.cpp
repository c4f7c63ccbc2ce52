// Time and memory of `headroom measure --causal` over the context length: one head of random softmax weights and unit
// vectors, written as .npy and measured by the program itself.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "bench/child.hpp"
#include "bench/scratch_folder.hpp"
#include "bench/spread.hpp"
#include "model/npy_write.hpp"
#include "sim/random.hpp"

namespace headroom::bench {
namespace {

struct Options {
  std::string program = HEADROOM_PROGRAM;
  std::vector<std::size_t> lengths = {256, 512, 1024, 2048, 4096, 8192, 16384};
  std::size_t dim = 64;
  std::string tops = "1,5,20";
  int threads = 2;
  int rounds = 3;
  std::string folder;
};

/// Row by row, as float32: the largest takes a GiB.
void write_weights(const std::string& file, std::size_t length) {
  static_assert(std::endian::native == std::endian::little, "the elements are written as they lie in memory");
  std::ofstream stream(file, std::ios::binary);
  const std::string front = model::npy_front(std::vector{length, length}, model::NpyFloat::float32);
  stream.write(front.data(), static_cast<std::streamsize>(front.size()));
  sim::Stream normal(1, 1, length);
  std::vector<double> weight(length);
  for (std::size_t row = 0; row < length; ++row) {
    const std::span<double> visible = std::span(weight).first(row + 1);
    normal.normals(visible);
    double sum = 0;
    for (double& w : visible) sum += w = std::exp(w);
    std::vector<float> narrow(length);
    for (std::size_t i = 0; i <= row; ++i) narrow[i] = static_cast<float>(weight[i] / sum);
    stream.write(reinterpret_cast<const char*>(narrow.data()), static_cast<std::streamsize>(length * sizeof(float)));
  }
  stream.flush();
  if (!stream) throw std::runtime_error("cannot write " + file + "; choose another folder with --folder");
}

void write_vectors(const std::string& file, std::size_t length, std::size_t dim) {
  std::vector<double> vectors(length * dim);
  sim::Stream stream(1, 2, length);
  sim::fill_sphere(stream, {vectors.data(), length, dim});
  app::write_file(file, model::npy_bytes(std::vector{length, dim}, vectors));
}

Child measure(const Options& o, const ScratchFolder& folder) {
  const auto option = [&](const char* name, const char* file) {
    return fmt::format(" {} {}", name, quoted(folder.file(file)));
  };
  return run_child(
      fmt::format("env OMP_NUM_THREADS={} {} measure --causal --top {}", o.threads, quoted(o.program), o.tops) +
      option("--weights", "weights.npy") + option("--vectors", "vectors.npy") + option("-o", "out.json"));
}

void run(const Options& o) {
  fmt::print("one causal head, d = {}, N = {}, {} threads, {} rounds\n", o.dim, o.tops, o.threads, o.rounds);
  fmt::print("{:>8}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}\n", "L", "seconds", "least", "most", "exponent", "peak MiB",
             "weights MiB");
  std::vector<double> lengths;
  std::vector<double> seconds;
  for (const std::size_t length : o.lengths) {
    const ScratchFolder folder(o.folder);
    write_weights(folder.file("weights.npy"), length);
    write_vectors(folder.file("vectors.npy"), length, o.dim);
    std::vector<double> wall;
    double peak = 0;
    for (int round = 0; round < o.rounds; ++round) {
      const Child child = measure(o, folder);
      wall.push_back(child.seconds);
      peak = std::max(peak, child.peak_mebibytes);
    }
    const Spread s = spread(wall);
    lengths.push_back(static_cast<double>(length));
    seconds.push_back(s.median);
    // Between this length and the one before.
    std::string exponent;
    if (lengths.size() > 1) {
      const std::size_t at = lengths.size() - 2;
      exponent = fmt::format("{:.2f}", power({lengths[at], lengths[at + 1]}, {seconds[at], seconds[at + 1]}));
    }
    const auto size = static_cast<double>(std::filesystem::file_size(folder.file("weights.npy"))) / (1 << 20);
    fmt::print("{:>8}{:>12.3f}{:>12.3f}{:>12.3f}{:>12}{:>14.0f}{:>14.0f}\n", length, s.median, s.least, s.most,
               exponent, peak, size);
    std::fflush(stdout);
  }
  // Short contexts are mostly the program's start, which makes the tables of the law.
  constexpr std::ptrdiff_t longest = 3;
  if (lengths.size() < longest) return;
  fmt::print("seconds ~ L^{:.2f} over all lengths, L^{:.2f} over the longest {}\n", power(lengths, seconds),
             power({lengths.end() - longest, lengths.end()}, {seconds.end() - longest, seconds.end()}), longest);
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  headroom::bench::Options options;
  CLI::App program{"time and memory of `headroom measure` over the context length"};
  program.add_option("--program", options.program, "headroom")->capture_default_str();
  program.add_option("--lengths", options.lengths)->delimiter(',')->capture_default_str();
  program.add_option("--dim", options.dim)->capture_default_str();
  program.add_option("--top", options.tops)->capture_default_str();
  program.add_option("--threads", options.threads)->capture_default_str();
  program.add_option("--rounds", options.rounds)->capture_default_str();
  program.add_option("--folder", options.folder, "where the arrays lie meanwhile, 1 GiB at L = 16384");
  CLI11_PARSE(program, argc, argv);
  try {
    headroom::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "scaling: {}\n", error.what());
    return 3;
  }
  return 0;
}
