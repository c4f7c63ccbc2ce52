#pragma once

#include <cstddef>

#include "core/matrix_view.hpp"
#include "sim/random.hpp"

namespace headroom::sim {

/// Whether `candidate` is at least δ, given as δ², from the points [begin, end).
[[nodiscard]] bool is_clear(const double* candidate, MatrixView<const double> points, std::size_t begin,
                            std::size_t end, double separation_squared);

/// Random sequential adsorption; false when some point finds no room in `tries` draws.
/// With `hemisphere`, points are put on one half of the sphere as long as they find room there: a start far from the
/// law.
[[nodiscard]] bool adsorb(Stream& stream, MatrixView<double> points, double separation, std::size_t tries,
                          bool hemisphere);

/// Pushes overlapping points apart until none is closer than δ; false when that does not end. For starts only, where
/// sequential adsorption jams.
[[nodiscard]] bool push_apart(Stream& stream, MatrixView<double> points, double separation);

}  // namespace headroom::sim
