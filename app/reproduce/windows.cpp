#include "app/reproduce/windows.hpp"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "app/reproduce/tables.hpp"
#include "verify/quantity.hpp"
#include "verify/statistics/intervals.hpp"

namespace headroom::app {
namespace {

constexpr double confidence = 0.95;

std::vector<Column> window_columns() {
  std::vector<Column> columns = {{"window"}, {"text", Column::Kind::text}, {"first_token"}, {"length"}, {"top"}};
  for (std::string_view name : verify::quantity_names) columns.push_back({std::string(name)});
  return columns;
}

// The means over heads, written as a table of heads is: after layer, head, length, N and rows come the measures.
void add_rows(Table& table, const Window& window, const Table& over_heads) {
  for (std::size_t row = 0; row < over_heads.rows(); ++row) {
    std::vector<Cell> cells = {static_cast<double>(window.index), window.text, static_cast<double>(window.first_token),
                               over_heads.cell(row, 2), over_heads.cell(row, 3)};
    for (std::size_t c = 5; c < over_heads.columns().size(); ++c) cells.push_back(over_heads.cell(row, c));
    table.add(std::move(cells));
  }
}

// For every place, the value of `errors` at the record whose value in `means` is the largest.
std::vector<double> of_the_largest(std::span<const HeadRecord> means, std::span<const HeadRecord> errors,
                                   std::vector<double> verify::Sensitivity::*part) {
  std::vector<double> result;
  for (std::size_t i = 0; i < (means.front().sensitivity.*part).size(); ++i) {
    const auto largest = std::max_element(means.begin(), means.end(), [&](const HeadRecord& a, const HeadRecord& b) {
      return (a.sensitivity.*part)[i] < (b.sensitivity.*part)[i];
    });
    result.push_back((errors[static_cast<std::size_t>(largest - means.begin())].sensitivity.*part)[i]);
  }
  return result;
}

}  // namespace

WindowPool::WindowPool(const Grids& grids, const FigureChoice& choice)
    : grids_(grids), critical_chosen_(choice.critical), table_(window_columns(), "windows.csv") {}

void WindowPool::add(const Window& window, const std::vector<HeadRecord>& heads) {
  assert(!heads.empty() && (count_ == 0 || heads.size() == per_head_.size()));
  per_head_.resize(heads.size());
  RecordMoments in_window;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    per_head_[i].add(heads[i]);
    in_window.add(heads[i]);
  }
  const std::vector<HeadRecord> over_heads = {in_window.mean()};
  over_heads_.add(over_heads.front());
  add_rows(table_, window, heads_table(over_heads, grids_));
  if (critical_chosen_) critical_.push_back(figure2c_table(heads, grids_));
  ++count_;
}

std::vector<HeadRecord> WindowPool::means() const {
  std::vector<HeadRecord> result;
  for (const RecordMoments& head : per_head_) result.push_back(head.mean());
  return result;
}

std::vector<HeadRecord> WindowPool::standard_errors() const {
  std::vector<HeadRecord> result;
  for (const RecordMoments& head : per_head_) result.push_back(head.standard_error());
  return result;
}

HeadRecord WindowPool::standard_error_over_heads() const {
  const std::vector<HeadRecord> mean = means();
  const std::vector<HeadRecord> error = standard_errors();
  HeadRecord result = over_heads_.standard_error();
  for (auto part : {&verify::Sensitivity::jacobian_norm, &verify::Sensitivity::g, &verify::Sensitivity::g_worst}) {
    result.sensitivity.*part = of_the_largest(mean, error, part);
  }
  return result;
}

double interval_half_width(double standard_error, std::size_t windows) {
  return verify::student_quantile((1 + confidence) / 2, static_cast<double>(windows) - 1) * standard_error;
}

}  // namespace headroom::app
