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
#include "bench/growth.hpp"
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

struct Measured {
  Spread seconds;
  double peak = 0;     // MiB
  double weights = 0;  // MiB
};

Measured measure_length(const Options& o, std::size_t length) {
  const ScratchFolder folder(o.folder);
  write_weights(folder.file("weights.npy"), length);
  write_vectors(folder.file("vectors.npy"), length, o.dim);
  // Short runs are cheap, and disturbed more.
  constexpr std::size_t is_long = 4096;
  const int rounds = length < is_long ? 5 * o.rounds : o.rounds;
  std::vector<double> wall;
  Measured result;
  for (int round = 0; round < rounds; ++round) {
    const Child child = measure(o, folder);
    wall.push_back(child.seconds);
    result.peak = std::max(result.peak, child.peak_mebibytes);
  }
  result.seconds = spread(wall);
  result.weights = static_cast<double>(std::filesystem::file_size(folder.file("weights.npy"))) / (1 << 20);
  return result;
}

void print_growth(const char* what, const Growth& growth, double longest) {
  const double quadratic = 1 - growth.linear * longest / growth.at(longest);
  fmt::print(
      "{}: {:.1f} us x L + {:.3g} ns x L^{:.2f}, every length within {:.0f} %; the second part is {:.0f} % at L = {}\n",
      what, growth.linear * 1e6, growth.rest * 1e9, growth.exponent, growth.worst * 100, quadratic * 100, longest);
}

void run(const Options& o) {
  fmt::print("one causal head, d = {}, N = {}, {} threads, {} rounds, five times as many below L = 4096\n", o.dim,
             o.tops, o.threads, o.rounds);
  // The program's start, and the tables of the law at this d.
  constexpr std::size_t shortest = 2;
  const double start = measure_length(o, shortest).seconds.least;
  fmt::print(
      "start (L = {}): {:.3f} s, taken off for the exponent, which is that of the least times from the length before\n",
      shortest, start);
  fmt::print("{:>8}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}\n", "L", "seconds", "least", "most", "exponent", "peak MiB",
             "weights MiB");
  std::vector<double> lengths;
  std::vector<double> seconds;
  for (const std::size_t length : o.lengths) {
    const Measured m = measure_length(o, length);
    lengths.push_back(static_cast<double>(length));
    // What disturbs a run only makes it longer.
    seconds.push_back(std::max(m.seconds.least - start, 1e-4));
    std::string exponent;
    if (lengths.size() > 1) {
      const std::size_t at = lengths.size() - 2;
      exponent = fmt::format("{:.2f}", power({lengths[at], lengths[at + 1]}, {seconds[at], seconds[at + 1]}));
    }
    fmt::print("{:>8}{:>12.3f}{:>12.3f}{:>12.3f}{:>12}{:>14.0f}{:>14.0f}\n", length, m.seconds.median, m.seconds.least,
               m.seconds.most, exponent, m.peak, m.weights);
    std::fflush(stdout);
  }
  constexpr std::size_t enough = 4;
  if (lengths.size() < enough) return;
  print_growth("seconds beyond the start, exponent 2", fit_growth(lengths, seconds, 2), lengths.back());
  print_growth("the same, exponent fitted", fit_exponent(lengths, seconds), lengths.back());
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
