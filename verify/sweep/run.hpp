#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "verify/sweep/shard.hpp"
#include "verify/sweep/source.hpp"

namespace headroom::verify::sweep {

struct RunOptions {
  StopRequest stop;
  bool fail_fast = false;  ///< stop at the first cell that fails instead of going on
  /// Cells expected to take longer than this on one core use all threads, one cell after the other; shorter ones a
  /// thread each. A matter of speed alone.
  double long_cell_seconds = 2;
  /// How often a cell that is not finished is saved all the same.
  double checkpoint_seconds = 60;
  /// Called with the cells finished and failed so far and the estimated work done, one call at a time.
  std::function<void(std::uint64_t finished, std::uint64_t failed, double seconds)> progress;
};

struct RunOutcome {
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  bool stopped = false;  ///< by request, or by a failure with fail_fast
  std::string first_failure;
};

/// Computes cells until the source has no more, on the threads of OpenMP, and writes every one when it is finished;
/// when it is stopped, those that were begun as far as they are. A cell that throws is written as failed. Throws what
/// the writer throws; the records written before count.
///
/// What is written for a cell depends on its parameters, seed and number of trials only.
RunOutcome run_sweep(const Grid& grid, const Kind& kind, Source& source, ShardWriter& writer,
                     const RunOptions& options);

}  // namespace headroom::verify::sweep
