#pragma once

#include <cstddef>
#include <vector>

#include "app/reproduce/head_record.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::app {

/// Mean and standard error of every number of a sequence of records: of one head over windows, or of one window over
/// heads. The records must have been made with the same grids and choice of figures (a contract). Means of no row
/// (TopMeans::rows = 0) are left out; `rows` of the results is the sum over the records. Nothing is kept but three
/// numbers for each, however many records there are, and with a single one nothing but the record itself.
class RecordMoments {
 public:
  void add(const HeadRecord& record);

  [[nodiscard]] std::size_t count() const { return count_; }

  /// The means, in the shape of a record; the record itself, bit for bit, after one. Requires count() > 0.
  [[nodiscard]] HeadRecord mean() const;

  /// Their standard errors sqrt(Σ(x − mean)²/(n(n−1))) in the same shape: +infinity with n = 1. Requires count() > 0.
  [[nodiscard]] HeadRecord standard_error() const;

 private:
  void take(const HeadRecord& record);
  template <class Statistic>
  [[nodiscard]] HeadRecord evaluate(const Statistic& statistic) const;

  std::size_t count_ = 0;
  HeadRecord shape_;  // the first record, its rows counted up
  std::vector<verify::Moments> moments_;
};

}  // namespace headroom::app
