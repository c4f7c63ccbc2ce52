#include "app/plot/scale.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <string>

namespace headroom::app::plot {
namespace {

constexpr double kSlack = 1e-9;            // of the range: a tick that rounding puts just outside is inside
constexpr double kLargest = 1e290;         // beyond, in size, values count as this: room for the arithmetic of an axis
constexpr double kLargestExponent = 290;   // the same on a logarithmic axis
constexpr double kLastExponent = 300;      // where a logarithmic axis ends in any case
constexpr int kPlainFrom = -3;             // decades written as numbers: 0.001 …
constexpr int kPlainTo = 5;                // … below 100,000
constexpr std::size_t kMostWithMinor = 6;  // decades

std::string decimal(double value, int decimals) {
  std::array<char, 64> text{};
  const auto result =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, std::max(decimals, 0));
  return {text.data(), result.ptr};
}

std::string minus_sign(std::string number) {
  if (number.front() == '-') number.replace(0, 1, "\xE2\x88\x92");
  return number;
}

/// mantissa · 10^exponent, correctly rounded for the exponents of any axis (a power of ten is exact up to 10^22).
double times_power(double mantissa, int exponent) {
  return exponent < 0 ? mantissa / std::pow(10.0, -exponent) : mantissa * std::pow(10.0, exponent);
}

std::vector<Tick> linear_ticks(const Scale& scale, std::size_t most) {
  const double range = scale.high() - scale.low();
  const double slack = kSlack * range;
  for (int exponent = static_cast<int>(std::floor(std::log10(range / static_cast<double>(most))));; ++exponent) {
    for (const int mantissa : {1, 2, 5}) {
      const double step = times_power(mantissa, exponent);
      const double first = std::ceil((scale.low() - slack) / step);
      const double last = std::floor((scale.high() + slack) / step);
      if (last - first + 1 > static_cast<double>(most)) continue;
      std::vector<Tick> result;
      for (double i = first; i <= last; ++i) {
        const double value = i == 0 ? 0 : times_power(i * mantissa, exponent);
        result.push_back({value, minus_sign(decimal(value, -exponent))});
      }
      return result;
    }
  }
}

RichText mark_label(int mantissa, int exponent, bool as_power) {
  if (!as_power) return decimal(times_power(mantissa, exponent), -exponent);
  const RichText power = RichText("10") + superscript(minus_sign(std::to_string(exponent)));
  return mantissa == 1 ? power : RichText(std::to_string(mantissa) + "\xC2\xB7") + power;
}

/// A tick of a logarithmic axis: mantissa · 10^exponent.
struct Mark {
  int mantissa = 1;
  int exponent = 0;
};

std::vector<Mark> marks_inside(const Scale& scale) {
  const double low = std::log10(scale.low());
  const double high = std::log10(scale.high());
  const double slack = kSlack * (high - low);
  std::vector<Mark> result;
  for (int exponent = static_cast<int>(std::floor(low)) - 1; exponent <= high + slack; ++exponent) {
    for (int mantissa = 1; mantissa <= 9; ++mantissa) {
      const double place = std::log10(times_power(mantissa, exponent));
      if (place >= low - slack && place <= high + slack) result.push_back({mantissa, exponent});
    }
  }
  return result;
}

std::vector<Tick> logarithmic_ticks(const Scale& scale, std::size_t most) {
  const std::vector<Mark> marks = marks_inside(scale);
  const auto decade = [](Mark mark) { return mark.mantissa == 1; };
  const auto coarse = [](Mark mark) { return mark.mantissa == 1 || mark.mantissa == 2 || mark.mantissa == 5; };
  const auto decades = static_cast<std::size_t>(std::count_if(marks.begin(), marks.end(), decade));
  const bool all_coarse = static_cast<std::size_t>(std::count_if(marks.begin(), marks.end(), coarse)) <= most;
  const int every = std::max(1, static_cast<int>((decades + most - 1) / most));
  const auto labelled = [&](Mark mark) {
    return all_coarse ? coarse(mark) : decade(mark) && mark.exponent % every == 0;
  };
  const bool as_power = std::any_of(marks.begin(), marks.end(), [&](Mark mark) {
    return labelled(mark) && (mark.exponent < kPlainFrom || mark.exponent >= kPlainTo);
  });
  const bool minor = decades <= kMostWithMinor;
  std::vector<Tick> result;
  for (const Mark mark : marks) {
    if (!minor && !labelled(mark)) continue;
    result.push_back({times_power(mark.mantissa, mark.exponent),
                      labelled(mark) ? mark_label(mark.mantissa, mark.exponent, as_power) : RichText()});
  }
  return result;
}

}  // namespace

Scale::Scale(Kind kind, double low, double high) : kind_(kind), low_(low), high_(high) {
  assert(low < high && std::isfinite(low) && std::isfinite(high));
  assert(kind == Kind::linear || low > 0);
}

Scale Scale::around(Kind kind, const std::vector<double>& values, double room) {
  const bool logarithmic = kind == Kind::logarithmic;
  const double limit = logarithmic ? kLargestExponent : kLargest;
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double value : values) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
    const double place = std::clamp(logarithmic ? std::log10(value) : value, -limit, limit);
    low = std::min(low, place);
    high = std::max(high, place);
  }
  if (low > high) return {kind, 1, 10};
  // Values that differ by rounding alone, or too small to divide by, are shown as one.
  const double magnitude = logarithmic ? 1 : std::max(std::abs(low), std::abs(high));
  const bool tiny = magnitude < 1 / kLargest;
  double free = room * (high - low);
  if (tiny || high - low < kSlack * magnitude) free = tiny ? 0.5 : 0.5 * magnitude;
  const double edge = logarithmic ? kLastExponent : HUGE_VAL;
  low = std::max(low - free, -edge);
  high = std::min(high + free, edge);
  return logarithmic ? Scale(kind, std::pow(10.0, low), std::pow(10.0, high)) : Scale(kind, low, high);
}

bool Scale::places(double value) const { return std::isfinite(value) && (kind_ == Kind::linear || value > 0); }

double Scale::fraction(double value) const {
  assert(places(value));
  if (kind_ == Kind::linear) return (value - low_) / (high_ - low_);
  return (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

std::vector<Tick> ticks(const Scale& scale, std::size_t most) {
  assert(most >= 2);
  return scale.kind() == Scale::Kind::linear ? linear_ticks(scale, most) : logarithmic_ticks(scale, most);
}

std::vector<Tick> ticks_at(const Scale& scale, const std::vector<double>& values) {
  std::vector<Tick> result;
  for (const double value : values) {
    if (!(value >= scale.low() && value <= scale.high())) continue;
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
    result.push_back({value, minus_sign({text.data(), end.ptr})});
  }
  return result;
}

}  // namespace headroom::app::plot
