#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verify/cell_run.hpp"
#include "verify/sweep/grid.hpp"
#include "verify/sweep/record.hpp"

namespace headroom::verify::sweep {

/// One cell while it is computed: what it has after some number of trials, and how to get further.
class CellWork {
 public:
  virtual ~CellWork() = default;

  /// Told first how many trials it will be asked for at most; throws when it cannot have so many.
  virtual void expect(std::uint64_t) {}

  /// Gets every group from where it is to `trials` trials, on all threads of OpenMP that the caller may use. False when
  /// `stop` ended that early; what was finished is kept.
  [[nodiscard]] virtual bool run(std::uint64_t trials, const StopRequest& stop) = 0;

  /// The fewest trials that run() should be asked for at once, to keep all threads busy.
  [[nodiscard]] virtual std::uint64_t grain() const { return 256; }

  /// The trials that all groups have.
  [[nodiscard]] virtual std::uint64_t trials() const = 0;

  /// As it is now, to be saved.
  [[nodiscard]] virtual Record record() const = 0;

  /// Leaves groups out from now on.
  virtual void drop(std::span<const std::uint64_t> groups) = 0;
};

/// What a grid is a grid of. Immutable, so one object serves any number of threads.
class Kind {
 public:
  virtual ~Kind() = default;

  [[nodiscard]] virtual std::string name() const = 0;

  /// Everything that sets cells apart, in a fixed order.
  [[nodiscard]] virtual std::span<const GridKey> keys() const = 0;

  /// The key whose values are measured together on the same draws (`top`); empty when there is none.
  [[nodiscard]] virtual std::string grouped() const { return {}; }

  /// Whether cells differ by the seed. Otherwise runs under several could not be pooled, and a grid names none.
  [[nodiscard]] virtual bool uses_seed() const { return true; }

  /// The names of what is measured, any of which a target may be about.
  [[nodiscard]] virtual std::vector<std::string> quantities() const = 0;

  /// Whether the grid chooses among them.
  [[nodiscard]] virtual bool chooses_quantities() const { return false; }

  struct Identity {
    std::string of;                ///< the parameters without the trials, in one spelling; its hash is the cell's key
    double seconds_per_trial = 0;  ///< a rough estimate on one core, for the order of work
  };
  /// What the cell at a point is. Throws usage errors for a point that cannot be.
  [[nodiscard]] virtual Identity identify(std::span<const Value> point,
                                          std::span<const std::uint64_t> groups) const = 0;

  /// Begins a cell, or goes on where `saved` (of the same cell, seed and groups, in any order) ends. Throws whatever
  /// shows only when it is tried: the cell has then failed.
  [[nodiscard]] virtual std::unique_ptr<CellWork> begin(std::span<const Value> point,
                                                        std::span<const std::uint64_t> groups, std::uint64_t seed,
                                                        const Record* saved) const = 0;
};

}  // namespace headroom::verify::sweep
