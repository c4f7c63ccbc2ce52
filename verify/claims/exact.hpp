#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace headroom::verify {

/// What a would-be violation is evaluated again in: 168 bits of mantissa. For .cpp files only.
using Exact =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float_50::backend_type, boost::multiprecision::et_off>;
static_assert(std::numeric_limits<Exact>::digits >= 100);

}  // namespace headroom::verify
