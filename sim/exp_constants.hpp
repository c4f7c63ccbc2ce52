#pragma once

namespace headroom::sim {

/// How the kernels take e^z apart: z = k·log 2 + r, |r| <= log(2)/2, e^z = 2^k·e^r (Cody and Waite 1980).
///
/// `log2_hi` has so few bits that k·log2_hi is exact for every k that occurs; hi + lo is log 2 to well beyond Real.
/// Adding `magic` rounds to an integer and leaves k + bias in the lowest bits, ready to be shifted into an exponent.
/// `near`: |z| up to which logits need no shift.
/// `polynomial` interpolates e^r at the Chebyshev nodes of the interval, 2.5e-9 and 4.2e-18 of relative error; the test
/// computes it anew.
template <class Real>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr int degree = 6;
  static constexpr int mantissa_bits = 23;
  static constexpr double bias = 127;
  static constexpr double near = 256;
  static constexpr double magic = 0x1.8p23 + bias;
  static constexpr double log2 = 0x1.62e42fefa39efp-1;
  static constexpr double log2_hi = 0x1.62e4p-1;
  static constexpr double log2_lo = 0x1.7f7d1cf79abcap-20;
  static constexpr double polynomial[degree + 1] = {1,
                                                    1.0000000377162138425,
                                                    0.50000000471177576744,
                                                    0.16666415514653275427,
                                                    0.041666352896775156786,
                                                    0.008375126398153335682,
                                                    0.0013941108433972674608};
};

template <>
struct ExpConstants<double> {
  static constexpr int degree = 11;
  static constexpr int mantissa_bits = 52;
  static constexpr double bias = 1023;
  static constexpr double near = 4096;
  static constexpr double magic = 0x1.8p52 + bias;
  static constexpr double log2 = 0x1.62e42fefa39efp-1;
  static constexpr double log2_hi = 0x1.62e42fefap-1;
  static constexpr double log2_lo = 0x1.cf79abc9e3b3ap-40;
  static constexpr double polynomial[degree + 1] = {
      0.99999999999999999693,   0.99999999999999999976,   0.50000000000000183855,   0.16666666666666680806,
      0.041666666666488095495,  0.0083333333333196006109, 0.0013888888952314774652, 0.00019841269890047113707,
      2.4801485482328492419e-5, 2.7557240918578969823e-6, 2.7632639639041029749e-7, 2.5110037605963777712e-8};
};

}  // namespace headroom::sim
