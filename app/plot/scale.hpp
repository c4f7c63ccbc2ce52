#pragma once

#include <cstddef>
#include <vector>

#include "app/plot/text.hpp"

namespace headroom::app::plot {

/// Places values along an axis, linearly or by their logarithm.
class Scale {
 public:
  enum class Kind { linear, logarithmic };

  /// Requires low < high, finite, and low > 0 on a logarithmic axis.
  Scale(Kind kind, double low, double high);

  /// The smallest scale that shows every value it can, with `room` of its length free on both sides; NaN, infinities
  /// and, on a logarithmic axis, values ≤ 0 are passed over. A single value stands in the middle; without any the range
  /// is 1 to 10.
  static Scale around(Kind kind, const std::vector<double>& values, double room);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  /// Whether the value has a place at all, inside the range or out of it.
  [[nodiscard]] bool places(double value) const;
  /// 0 at low, 1 at high. Requires places(value).
  [[nodiscard]] double fraction(double value) const;

 private:
  Kind kind_;
  double low_;
  double high_;
};

/// A mark on an axis; without label it is a minor one.
struct Tick {
  double value = 0;
  RichText label;
};

/// Linear: multiples of 1, 2 or 5 times a power of ten, the finest step that gives at most `most` of them.
/// Logarithmic: 1, 2 and 5 of each decade labelled, or if that is more than `most` the decades, or every n-th of them;
/// over up to six decades, 1 to 9 are marked in each. All inside the range, in order.
/// Labels are plain numbers from 0.001 to below 100,000, powers of ten on an axis that goes beyond. Requires most >= 2.
[[nodiscard]] std::vector<Tick> ticks(const Scale& scale, std::size_t most);

/// A labelled tick at each of the values that lies in the range.
[[nodiscard]] std::vector<Tick> ticks_at(const Scale& scale, const std::vector<double>& values);

}  // namespace headroom::app::plot
