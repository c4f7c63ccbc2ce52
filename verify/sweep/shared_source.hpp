#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verify/cell_run.hpp"
#include "verify/sweep/source.hpp"

namespace headroom::verify::sweep {

/// What processes have done together.
struct SharedTotals {
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  double seconds = 0;     ///< of the estimated work that is done
  std::vector<int> lost;  ///< processes that fell silent
  bool whole = true;      ///< nobody was lost, anywhere: what needs all processes may be called
};

struct SharingOptions {
  std::size_t threads = 1;  ///< that call next() in this process
  StopRequest stop;         ///< when it says yes, no more cells are handed out
  bool fail_fast = false;   ///< nor once one has failed anywhere
  /// Seconds without a word from another process before it is taken for lost. Time in which this process itself was
  /// suspended does not count.
  double silence = 60;
  /// Called with a process that is taken for lost and the cells it had in hand. Both are called by a thread of the
  /// source, which may not be asked anything meanwhile.
  std::function<void(int process, std::size_t cells)> lost;
  /// Called when others have told what they have done, on the process that hands out.
  std::function<void(const SharedTotals&)> heard;
};

/// Cells that several processes take from one list.
class SharedSource : public Source {
 public:
  /// So far: of all on the process that hands out, with a few seconds' delay; of its own on the others.
  [[nodiscard]] virtual SharedTotals totals() const = 0;

  /// To be called once no thread asks for cells any more: waits until the others are at the same point or lost.
  virtual SharedTotals close() = 0;
};

}  // namespace headroom::verify::sweep
