#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <string>
#include <vector>

namespace headroom::sim::test {

/// 128 bits, and an exponent that holds e^{−10¹²}: the reference the weights are measured against.
using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<128, boost::multiprecision::digit_base_2, void, std::int64_t,
                                         -(std::int64_t{1} << 50), std::int64_t{1} << 50>,
    boost::multiprecision::et_off>;

/// The weights of a row of finite logits by the definition of the normalizer `id` with the parameters `key`,
/// written down once more, without shifts or shortcuts that 128 bits do not need.
std::vector<Real> exact_weights(const std::string& id, const std::vector<double>& parameters,
                                const std::vector<double>& logits, double temperature);

}  // namespace headroom::sim::test
