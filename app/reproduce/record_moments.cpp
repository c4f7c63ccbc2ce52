#include "app/reproduce/record_moments.hpp"

#include <cassert>
#include <limits>

namespace headroom::app {
namespace {

// Calls visit(number, there) for every number of a record, always in the same order; those of means over no row are
// not there.
template <class Record, class Visit>
void for_each_number(Record& record, const Visit& visit) {
  for (auto& length : record.at_length) {
    for (auto& at : length) {
      for (auto& value : at.mean) visit(value, at.rows > 0);
    }
  }
  for (auto* values : {&record.sensitivity.jacobian_norm, &record.sensitivity.g, &record.sensitivity.g_worst}) {
    for (auto& value : *values) visit(value, true);
  }
}

void count_rows(HeadRecord& total, const HeadRecord& record) {
  assert(total.at_length.size() == record.at_length.size());
  for (std::size_t l = 0; l < total.at_length.size(); ++l) {
    assert(total.at_length[l].size() == record.at_length[l].size());
    for (std::size_t i = 0; i < total.at_length[l].size(); ++i) {
      assert(total.at_length[l][i].top == record.at_length[l][i].top);
      total.at_length[l][i].rows += record.at_length[l][i].rows;
    }
  }
}

}  // namespace

void RecordMoments::add(const HeadRecord& record) {
  ++count_;
  if (count_ == 1) {
    shape_ = record;
    return;
  }
  if (count_ == 2) {
    std::size_t numbers = 0;
    for_each_number(record, [&](double, bool) { ++numbers; });
    moments_.resize(numbers);
    take(shape_);
  }
  take(record);
  count_rows(shape_, record);
}

void RecordMoments::take(const HeadRecord& record) {
  std::size_t i = 0;
  for_each_number(record, [&](double value, bool there) {
    assert(i < moments_.size());
    if (there) moments_[i].add(value);
    ++i;
  });
}

template <class Statistic>
HeadRecord RecordMoments::evaluate(const Statistic& statistic) const {
  HeadRecord result = shape_;
  std::size_t i = 0;
  for_each_number(result, [&](double& value, bool) {
    value = moments_[i].count == 0 ? std::numeric_limits<double>::quiet_NaN() : statistic(moments_[i]);
    ++i;
  });
  return result;
}

HeadRecord RecordMoments::mean() const {
  assert(count_ > 0);
  if (count_ == 1) return shape_;
  return evaluate([](const verify::Moments& moments) { return moments.mean; });
}

HeadRecord RecordMoments::standard_error() const {
  assert(count_ > 0);
  if (count_ == 1) {
    HeadRecord unknown = shape_;
    for_each_number(unknown, [](double& value, bool) { value = std::numeric_limits<double>::infinity(); });
    return unknown;
  }
  return evaluate([](const verify::Moments& moments) { return moments.standard_error(); });
}

}  // namespace headroom::app
