#include "bench/growth.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cassert>
#include <cmath>

namespace headroom::bench {

double Growth::at(double length) const { return linear * length + rest * std::pow(length, exponent); }

Growth fit_growth(const std::vector<double>& lengths, const std::vector<double>& seconds, double exponent) {
  assert(lengths.size() == seconds.size() && lengths.size() >= 2);
  // Both terms in units of the measured time, so that every length counts alike.
  double aa = 0;
  double ab = 0;
  double bb = 0;
  double a1 = 0;
  double b1 = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double a = lengths[i] / seconds[i];
    const double b = std::pow(lengths[i], exponent) / seconds[i];
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  const double determinant = aa * bb - ab * ab;
  Growth growth;
  growth.exponent = exponent;
  growth.linear = (a1 * bb - b1 * ab) / determinant;
  growth.rest = (b1 * aa - a1 * ab) / determinant;
  if (!(growth.linear > 0)) growth = {exponent, 0, b1 / bb};
  if (!(growth.rest > 0)) growth = {exponent, a1 / aa, 0};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double error = std::abs(growth.at(lengths[i]) / seconds[i] - 1);
    growth.worst = std::max(growth.worst, error);
    growth.square += error * error;
  }
  return growth;
}

Growth fit_exponent(const std::vector<double>& lengths, const std::vector<double>& seconds) {
  constexpr double least = 1.2;
  constexpr double most = 3;
  constexpr int bits = 20;
  const auto misfit = [&](double exponent) { return fit_growth(lengths, seconds, exponent).square; };
  return fit_growth(lengths, seconds, boost::math::tools::brent_find_minima(misfit, least, most, bits).first);
}

}  // namespace headroom::bench
