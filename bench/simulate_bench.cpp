// `simulate` beside a NumPy program that measures the same cell, in one run: answers compared first, then both timed in
// turn. Numbers are per wall second and per second of processor time; the latter does not mind other programs running.
#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/child.hpp"
#include "bench/spread.hpp"
#include "verify/cell_run.hpp"

namespace headroom::bench {
namespace {

using verify::Quantity;

struct Options {
  std::string peer;
  std::string python = "python3";
  std::size_t length = 1024;
  std::size_t dim = 64;
  std::size_t top = 16;
  std::uint64_t peer_trials = 400;
  int rounds = 5;
};

struct Estimate {
  double mean = 0;
  double error = 0;
};

/// What one side said and how fast it was.
struct Measured {
  Estimate distance, expected, separable;
  double per_second = 0;
  double per_processor_second = 0;
};

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

Measured run_peer(const Options& o) {
  const Child child = run_child(fmt::format("env OPENBLAS_NUM_THREADS=2 OMP_NUM_THREADS=2 {} {} {} {} {} {}",
                                            quoted(o.python), quoted(o.peer), o.length, o.dim, o.top, o.peer_trials));
  Measured m;
  const int read = std::sscanf(
      child.output.c_str(), "trials/s %lf distance %lf +- %lf expected %lf +- %lf separable %lf +- %lf", &m.per_second,
      &m.distance.mean, &m.distance.error, &m.expected.mean, &m.expected.error, &m.separable.mean, &m.separable.error);
  if (read != 7) throw std::runtime_error("not the means and errors of a cell: " + child.output);
  m.per_processor_second = static_cast<double>(o.peer_trials) / child.processor_seconds;
  return m;
}

Measured run_cell(const Options& o, const char* sampler, int threads, std::uint64_t trials, std::uint64_t seed) {
  verify::CellParameters p;
  p.length = o.length;
  p.dim = o.dim;
  p.tops = {o.top};
  p.sampler = sampler;
  p.quantities = {Quantity::distance, Quantity::separable};
  const bool projected = p.sampler == "projected";
  if (!projected) p.quantities.insert(Quantity::expected);
  omp_set_num_threads(threads);
  const verify::Cell cell(p);
  verify::CellMeans means(cell);
  const double before = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  means.run(cell, seed, trials);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto estimate = [&](Quantity q) {
    const verify::Moments& moments = means.of(cell, 0, q);
    return Estimate{moments.mean, moments.standard_error()};
  };
  Measured m{estimate(Quantity::distance), {}, estimate(Quantity::separable), 0, 0};
  if (!projected) m.expected = estimate(Quantity::expected);
  m.per_second = static_cast<double>(trials) / wall;
  m.per_processor_second = static_cast<double>(trials) / (processor_seconds() - before);
  return m;
}

void expect_same(const char* what, Estimate a, Estimate b) {
  const double error = std::hypot(a.error, b.error);
  fmt::print("  {:<10} {:.5g} and {:.5g}, {:.1f} standard errors apart\n", what, a.mean, b.mean,
             std::abs(a.mean - b.mean) / error);
  constexpr double allowed = 5;  // chance: one in two million
  if (!(std::abs(a.mean - b.mean) <= allowed * error)) throw std::runtime_error("the two sides disagree");
}

struct Side {
  std::string name;
  std::vector<double> wall, processor;

  void add(const Measured& m) {
    wall.push_back(m.per_second);
    processor.push_back(m.per_processor_second);
  }
};

void print(const Side& side) {
  const Spread wall = spread(side.wall);
  fmt::print("{:<22}{:>12.0f}{:>12.0f}{:>12.0f}{:>22.0f}\n", side.name, wall.median, wall.least, wall.most,
             spread(side.processor).median);
}

void print_ratio(const char* what, const Side& a, const Side& b) {
  const Spread wall = ratio(a.wall, b.wall);
  fmt::print("{}: {:.2f} (rounds {:.2f} to {:.2f}); per processor second {:.2f}\n", what, wall.median, wall.least,
             wall.most, ratio(a.processor, b.processor).median);
}

void run(const Options& o) {
  const bool with_peer = !o.peer.empty();
  const std::uint64_t trials = 20000;
  const Measured uniform = run_cell(o, "uniform", 2, trials, 1);
  const Measured projected = run_cell(o, "projected", 2, 4 * trials, 2);
  fmt::print("uniform and projected:\n");
  expect_same("distance", uniform.distance, projected.distance);
  expect_same("separable", uniform.separable, projected.separable);
  if (with_peer) {
    const Measured peer = run_peer(o);
    fmt::print("uniform and the peer:\n");
    expect_same("distance", uniform.distance, peer.distance);
    expect_same("expected", uniform.expected, peer.expected);
    expect_same("separable", uniform.separable, peer.separable);
  }
  Side peer{"peer", {}, {}};
  Side one{"uniform, 1 thread", {}, {}};
  Side two{"uniform, 2 threads", {}, {}};
  Side fast{"projected, 2 threads", {}, {}};
  for (int round = 0; round < o.rounds; ++round) {
    if (with_peer) peer.add(run_peer(o));
    two.add(run_cell(o, "uniform", 2, trials, 3));
    one.add(run_cell(o, "uniform", 1, trials / 2, 3));
    fast.add(run_cell(o, "projected", 2, 5 * trials, 3));
  }
  fmt::print("\nL = {}, d = {}, N = {}; trials per second, {} rounds\n", o.length, o.dim, o.top, o.rounds);
  fmt::print("{:<22}{:>12}{:>12}{:>12}{:>22}\n", "", "median", "least", "most", "per processor second");
  if (with_peer) print(peer);
  for (const Side* side : {&one, &two, &fast}) print(*side);
  print_ratio("two threads over one", two, one);
  if (!with_peer) return;
  print_ratio("uniform, 2 threads, over the peer", two, peer);
  print_ratio("projected, 2 threads, over the peer", fast, peer);
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  headroom::bench::Options options;
  CLI::App program{"simulate beside a NumPy program that measures the same cell"};
  program.add_option("peer", options.peer, "montecarlo.py; without it only our own side is timed");
  program.add_option("--python", options.python)->capture_default_str();
  program.add_option("--length", options.length)->capture_default_str();
  program.add_option("--dim", options.dim)->capture_default_str();
  program.add_option("--top", options.top)->capture_default_str();
  program.add_option("--peer-trials", options.peer_trials)->capture_default_str();
  program.add_option("--rounds", options.rounds)->capture_default_str();
  CLI11_PARSE(program, argc, argv);
  try {
    headroom::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "simulate_bench: {}\n", error.what());
    return 3;
  }
  return 0;
}
