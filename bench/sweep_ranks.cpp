#include "bench/sweep_ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <thread>

#include "app/stopwatch.hpp"
#include "app/sweep/ranks.hpp"
#include "bench/swept_cells.hpp"
#include "verify/sweep/mpi/mailbox.hpp"
#include "verify/sweep/run.hpp"

namespace headroom::bench {
namespace {

using app::Ranks;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A grid on every rank, and on rank 0 the list of its cells.
struct Shared {
  explicit Shared(const Ranks& ranks, std::string grid) : cells(std::move(grid)) {
    if (ranks.rank() != 0) return;
    items = cells.plan().left(index, {}, false);
    list.emplace(items, cells.plan(), index, false);
  }

  SweptCells cells;
  verify::sweep::Index index;
  std::vector<verify::sweep::WorkItem> items;
  std::optional<verify::sweep::ListSource> list;
};

double compute(const Ranks& ranks, const std::string& grid_file, const std::filesystem::path& folder) {
  std::ifstream stream(grid_file);
  Shared shared(ranks, {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
  verify::sweep::ShardWriter writer(folder / fmt::format("rank{}.jsonl", ranks.rank()), "");
  static_cast<void>(ranks.agreed(true));
  app::Stopwatch watch;
  const auto source = ranks.source(shared.list ? &*shared.list : nullptr, {});
  const verify::sweep::SweepPlan& plan = shared.cells.plan();
  static_cast<void>(run_sweep(plan.grid(), plan.kind(), *source, writer, {}));
  static_cast<void>(source->close());
  return watch.lap();
}

double letter_there_and_back() {
  verify::sweep::Mailbox mail(MPI_COMM_WORLD);
  constexpr int letters = 5000;
  const std::string text(100, 'x');
  const auto wait = [&] {
    while (!mail.receive()) {
    }
  };
  app::Stopwatch watch;
  for (int k = 0; k < letters; ++k) {
    if (mail.rank() == 0) mail.send(1, text);
    wait();
    if (mail.rank() != 0) mail.send(0, text);
    static_cast<void>(mail.delivered());
  }
  const double seconds = watch.lap() / letters;
  while (!mail.delivered()) {
  }
  return seconds;
}

double drain(const Ranks& ranks) {
  constexpr std::size_t cells = 20'000;
  Shared shared(ranks, equal_cells(cells, 1e-6));
  static_cast<void>(ranks.agreed(true));
  const double before = processor_seconds();
  const auto source = ranks.source(shared.list ? &*shared.list : nullptr, {});
  if (ranks.rank() == 0) {
    while (source->totals().finished < cells) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  } else {
    while (const auto assignment = source->next()) source->finished(*assignment, false);
  }
  const double used = processor_seconds() - before;
  static_cast<void>(source->close());
  return used / cells;
}

}  // namespace

void act_as_rank(const std::string& what, const std::string& grid_file, const std::string& folder) {
  const Ranks ranks;
  double seconds = 0;
  if (what == "cells") {
    seconds = compute(ranks, grid_file, folder);
  } else if (what == "letters") {
    seconds = letter_there_and_back();
  } else if (what == "drain") {
    seconds = drain(ranks);
  } else {
    throw std::runtime_error("there is no rank " + what);
  }
  if (ranks.rank() == 0) fmt::print("{}\n", seconds);
}

}  // namespace headroom::bench
