#include "model/npy_item.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace headroom::model {
namespace {

double widen_half(std::uint16_t bits) {
  const std::uint64_t sign = static_cast<std::uint64_t>(bits & 0x8000U) << 48U;
  const std::uint64_t exponent = (bits >> 10U) & 31U;
  const std::uint64_t fraction = bits & 1023U;
  if (exponent == 0) {  // zero or subnormal
    constexpr double unit = 0x1p-24;
    const double magnitude = static_cast<double>(fraction) * unit;
    return sign != 0 ? -magnitude : magnitude;
  }
  constexpr std::uint64_t special = 0x7ff;
  const std::uint64_t wide = exponent == 31U ? special : exponent + 1023U - 15U;
  return std::bit_cast<double>(sign | wide << 52U | fraction << 42U);
}

template <class Bits, class Value>
void widen(std::span<const std::byte> items, std::size_t step, std::size_t count, double* out, std::size_t out_step,
           bool swapped, Value value) {
  std::array<std::byte, sizeof(Bits)> raw;
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(items.data() + k * step * sizeof(Bits), sizeof(Bits), raw.begin());
    if (swapped) std::reverse(raw.begin(), raw.end());
    out[k * out_step] = value(std::bit_cast<Bits>(raw));
  }
}

}  // namespace

void widen_items(const NpyHeader& header, std::span<const std::byte> items, std::size_t step, std::size_t count,
                 double* out, std::size_t out_step) {
  assert(count == 0 || ((count - 1) * step + 1) * header.item_size <= items.size());
  switch (header.item_size) {
    case 2:
      return widen<std::uint16_t>(items, step, count, out, out_step, header.swapped, widen_half);
    case 4:
      return widen<float>(items, step, count, out, out_step, header.swapped,
                          [](float value) { return static_cast<double>(value); });
    default:
      return widen<double>(items, step, count, out, out_step, header.swapped, [](double value) { return value; });
  }
}

}  // namespace headroom::model
