#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace headroom::bench {

/// What a loop can be bound by: an operation of the processor, or bytes between it and a level of memory.
enum class Limit { fma64, fma32, div64, sqrt64, sqrt32, exp64, exp32, copy_l1, copy_l2, copy_memory };

inline constexpr std::size_t limit_count = 10;
inline constexpr std::array<std::string_view, limit_count> limit_names = {
    "fma64", "fma32", "div64", "sqrt64", "sqrt32", "exp64", "exp32", "copy_l1", "copy_l2", "copy_memory"};

[[nodiscard]] constexpr std::string_view name(Limit limit) { return limit_names[static_cast<std::size_t>(limit)]; }
[[nodiscard]] constexpr bool counts_bytes(Limit limit) { return limit >= Limit::copy_l1; }

/// The rates of this machine, measured: operations per second, or bytes read plus bytes written per second.
///
/// fma: fused multiply-adds on registers, what a matrix product is made of. div, sqrt: over an array in L1. exp: that
/// of Highway's math library, over an array in L1. copy: arrays of 8 KiB, 128 KiB and 128 MiB a thread. Each is the
/// best of several runs, with the instruction set that Highway chooses for this processor; every thread does the same
/// work, and the slowest counts.
class Machine {
 public:
  static constexpr int most_threads = 2;

  /// Measures on first use, in about six seconds; the program asks for it before it times anything else.
  static const Machine& here();

  /// @param threads 1 to most_threads
  [[nodiscard]] double rate(Limit limit, int threads) const {
    return rates_[static_cast<std::size_t>(threads - 1)][static_cast<std::size_t>(limit)];
  }

 private:
  Machine();

  std::array<std::array<double, limit_count>, most_threads> rates_{};
};

}  // namespace headroom::bench
