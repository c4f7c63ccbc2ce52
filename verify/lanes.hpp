#pragma once

#include <cstddef>

namespace headroom::verify {

/// How many logical lanes a sum of Real runs over, whatever the vector width, before they are added in order: one
/// 512-bit vector. Arrays that kernels read are padded to a multiple of it.
template <class Real>
inline constexpr std::size_t lane_group_of = 64 / sizeof(Real);

inline constexpr std::size_t lane_group = lane_group_of<double>;

template <class Real>
[[nodiscard]] constexpr std::size_t padded_size(std::size_t size) {
  return (size + lane_group_of<Real> - 1) / lane_group_of<Real> * lane_group_of<Real>;
}

}  // namespace headroom::verify
