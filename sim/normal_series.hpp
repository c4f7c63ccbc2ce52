#pragma once

namespace headroom::sim::kernels {

/// Taylor coefficients, in powers of x², of what Box–Muller needs. Each series is cut where its next term is below
/// half a unit in the last place of its largest argument.
///
/// artanh(s)/s for |s| <= (√2−1)/(√2+1): log m = 2 artanh((m−1)/(m+1)).
inline constexpr double artanh64[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,
                                      1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19};
inline constexpr double artanh32[] = {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9};
/// sin(y)/y for |y| <= π/4.
inline constexpr double sine64[] = {1.0,          -1.0 / 6,        1.0 / 120,          -1.0 / 5040,
                                    1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
inline constexpr double sine32[] = {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
/// cos(y) for |y| <= π/4.
inline constexpr double cosine64[] = {1.0,
                                      -1.0 / 2,
                                      1.0 / 24,
                                      -1.0 / 720,
                                      1.0 / 40320,
                                      -1.0 / 3628800,
                                      1.0 / 479001600.0,
                                      -1.0 / 87178291200.0,
                                      1.0 / 20922789888000.0};
inline constexpr double cosine32[] = {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800};

inline constexpr double half_pi = 1.5707963267948966;
inline constexpr double log_two = 0.6931471805599453;

}  // namespace headroom::sim::kernels
