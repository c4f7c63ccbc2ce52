#pragma once

#include <cstddef>

namespace headroom::bench {

/// What a sweep's store takes, each in seconds per cell of one N and eight quantities.
struct StoreCosts {
  double plan = 0;    ///< finding a cell's key and place
  double append = 0;  ///< making its record and handing it to the system
  double read = 0;    ///< finding the record again when a folder is opened
  double pool = 0;    ///< reading its values and pooling them, as exports and reports do
  double bytes = 0;   ///< of a record
};

/// Of that many cells, in a folder of temporary files.
[[nodiscard]] StoreCosts store_costs(std::size_t cells);

}  // namespace headroom::bench
