#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "exact_normalizers.hpp"
#include "sim/exp_constants.hpp"

using headroom::sim::ExpConstants;
using headroom::sim::test::Real;

namespace {

/// Coefficients of the polynomial through e^r at the Chebyshev nodes of |r| <= log(2)/2, by divided differences.
std::vector<Real> interpolation(int degree) {
  const Real half = log(Real(2)) / 2;
  std::vector<Real> nodes, divided;
  for (int i = 0; i <= degree; ++i) {
    nodes.push_back(half * cos(boost::math::constants::pi<Real>() * (2 * i + 1) / (2 * (degree + 1))));
    divided.push_back(exp(nodes.back()));
  }
  for (int order = 1; order <= degree; ++order) {
    for (int i = degree; i >= order; --i) {
      divided[i] = (divided[i] - divided[i - 1]) / (nodes[i] - nodes[i - order]);
    }
  }
  std::vector<Real> coefficients = {divided[degree]};
  for (int k = degree - 1; k >= 0; --k) {  // times (x − node), plus the next divided difference
    coefficients.push_back(0);
    for (std::size_t j = coefficients.size() - 1; j > 0; --j) {
      coefficients[j] = coefficients[j - 1] - nodes[k] * coefficients[j];
    }
    coefficients[0] = divided[k] - nodes[k] * coefficients[0];
  }
  return coefficients;
}

template <class T>
void check_constants(double polynomial_error) {
  using C = ExpConstants<T>;
  const std::vector<Real> exact = interpolation(C::degree);
  double worst = 0;
  for (int i = -500; i <= 500; ++i) {
    const Real r = log(Real(2)) / 2 * i / 500;
    Real ours = 0;
    for (int k = C::degree; k >= 0; --k) {
      // What is written down is the exact coefficient, rounded to double.
      CHECK(abs(Real(C::polynomial[k] - exact[static_cast<std::size_t>(k)])) <=
            Real(std::ldexp(1.0, -52)) * exact[static_cast<std::size_t>(k)]);
      ours = ours * r + exact[static_cast<std::size_t>(k)];
    }
    worst = std::max(worst, std::abs(static_cast<double>(Real(ours / exp(r) - 1))));
  }
  CHECK(worst <= polynomial_error);
  CHECK(abs(Real(Real(C::log2_hi) + C::log2_lo - log(Real(2)))) <= std::ldexp(1.0, sizeof(T) == 4 ? -70 : -92));
  // k·log2_hi is exact for every k a logit within `near` of 0 can need.
  const double most = C::near * 1.45 + C::bias;
  CHECK(static_cast<T>(std::floor(most) * C::log2_hi) == std::floor(most) * static_cast<double>(T(C::log2_hi)));
  CHECK(std::floor(std::ldexp(C::log2_hi, C::mantissa_bits + 1 - static_cast<int>(std::ceil(std::log2(most))))) ==
        std::ldexp(C::log2_hi, C::mantissa_bits + 1 - static_cast<int>(std::ceil(std::log2(most)))));
}

}  // namespace

TEST_CASE("the kernels' exponential interpolates at Chebyshev nodes as closely as stated") {
  check_constants<float>(2.6e-9);
  check_constants<double>(4.3e-18);
}
