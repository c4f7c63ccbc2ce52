#include "app/compare/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/numbers.hpp"
#include "app/csv.hpp"
#include "app/normalizer_choice.hpp"
#include "verify/critical_top.hpp"
#include "verify/statistics/moments.hpp"

namespace headroom::app {
namespace {

using verify::Quantity;

constexpr double kCriticalLevel = 0.01;

Cell cell_of(double value) { return std::isnan(value) ? Cell() : Cell(value); }

/// The critical N of one normalizer at one length, on the grid of N, against one of the two expectations.
Cell critical_cell(std::span<const HeadComparison> heads, const CompareOptions& options, std::size_t normalizer,
                   std::size_t length, Quantity against) {
  std::vector<verify::HeadMeans> means;
  for (std::size_t top = 0; top < options.tops.size(); ++top) {
    verify::HeadMeans at;
    at.top = options.tops[top];
    for (const HeadComparison& head : heads) {
      if (head.normalizer != normalizer) continue;
      const LengthMeans& values = head.at_length[length];
      if (values.tops.empty() || values.tops[top].rows == 0) continue;
      at.distance.push_back(values.tops[top][Quantity::distance]);
      at.expected.push_back(values.tops[top][against]);
    }
    if (!at.distance.empty()) means.push_back(std::move(at));
  }
  const auto found = verify::critical_top(means, kCriticalLevel);
  return found ? Cell(static_cast<double>(found->top)) : Cell();
}

/// What both tables have columns of, E₀ last.
std::vector<HeadNumber> written_numbers() {
  std::vector<HeadNumber> numbers(head_numbers.begin(), head_numbers.end());
  numbers.push_back(expected_number);
  return numbers;
}

std::string shown(std::optional<double> value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

}  // namespace

Table compare_heads_table(std::span<const HeadComparison> heads, const CompareOptions& options) {
  using Kind = Column::Kind;
  std::vector<Column> columns = {{"layer"},
                                 {"head"},
                                 {"normalizer", Kind::text},
                                 {"temperature"},
                                 {"effective_scale", Kind::optional_number},
                                 {"length"},
                                 {"top"},
                                 {"rows"}};
  const std::vector<HeadNumber> numbers = written_numbers();
  for (const HeadNumber& number : numbers) columns.push_back({number.name, Kind::optional_number});
  Table table(std::move(columns), "heads.csv");
  for (const HeadComparison& head : heads) {
    for (std::size_t l = 0; l < options.lengths.size(); ++l) {
      for (std::size_t top = 0; top < options.tops.size(); ++top) {
        if (options.tops[top] >= options.lengths[l]) continue;
        const LengthMeans& at = head.at_length[l];
        std::vector<Cell> row = {static_cast<double>(head.layer),
                                 static_cast<double>(head.head),
                                 options.normalizers[head.normalizer],
                                 head.temperature,
                                 head.effective_scale ? Cell(*head.effective_scale) : Cell(),
                                 static_cast<double>(options.lengths[l]),
                                 static_cast<double>(options.tops[top]),
                                 at.tops.empty() ? 0.0 : static_cast<double>(at.tops[top].rows)};
        for (const HeadNumber& number : numbers) row.push_back(cell_of(number.of(at, top)));
        table.add(std::move(row));
      }
    }
  }
  return table;
}

Table compare_normalizers_table(std::span<const HeadComparison> heads, const CompareOptions& options) {
  using Kind = Column::Kind;
  std::vector<Column> columns = {
      {"normalizer", Kind::text}, {"length"}, {"top"}, {"critical_top", Kind::optional_number}, {"temperature"},
      {"temperature_sd"}};
  const std::vector<HeadNumber> numbers = written_numbers();
  for (const HeadNumber& number : numbers) columns.push_back({number.name, Kind::optional_number});
  for (const HeadNumber& number : numbers) columns.push_back({std::string(number.name) + "_sd", Kind::optional_number});
  columns.push_back({"critical_top_expected", Kind::optional_number});
  Table table(std::move(columns), "normalizers.csv");
  for (std::size_t n = 0; n < options.normalizers.size(); ++n) {
    for (std::size_t l = 0; l < options.lengths.size(); ++l) {
      const Cell critical = critical_cell(heads, options, n, l, Quantity::expected_full);
      const Cell critical_expected = critical_cell(heads, options, n, l, Quantity::expected);
      for (std::size_t top = 0; top < options.tops.size(); ++top) {
        if (options.tops[top] >= options.lengths[l]) continue;
        verify::Moments temperature;
        std::vector<verify::Moments> moments(numbers.size());
        for (const HeadComparison& head : heads) {
          if (head.normalizer != n) continue;
          temperature.add(head.temperature);
          for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double value = numbers[i].of(head.at_length[l], top);
            if (!std::isnan(value)) moments[i].add(value);
          }
        }
        const auto mean = [](const verify::Moments& m) { return m.count > 0 ? Cell(m.mean) : Cell(); };
        const auto sd = [](const verify::Moments& m) { return m.count > 1 ? Cell(m.standard_deviation()) : Cell(); };
        std::vector<Cell> row = {options.normalizers[n],
                                 static_cast<double>(options.lengths[l]),
                                 static_cast<double>(options.tops[top]),
                                 critical,
                                 temperature.mean,
                                 temperature.count > 1 ? temperature.standard_deviation() : 0.0};
        for (const verify::Moments& m : moments) row.push_back(mean(m));
        for (const verify::Moments& m : moments) row.push_back(sd(m));
        row.push_back(critical_expected);
        table.add(std::move(row));
      }
    }
  }
  return table;
}

std::string compare_text(const Table& table, const CompareOptions& options) {
  const auto full = static_cast<double>(options.lengths.back());
  // The N that the paper's Figure 3 settles at, or the nearest below.
  std::size_t shown_top = options.tops.front();
  for (const std::size_t top : options.tops) {
    if (top <= 16) shown_top = top;
  }
  std::size_t width = 14;
  for (const std::string& normalizer : options.normalizers) width = std::max(width, short_spec(normalizer).size());
  std::string text = fmt::format(
      "L = {}, means over heads; {}\n\n{:<{}} {:>7} {:>7} {:>8} {:>6} {:>8} {:>8} {:>7} {:>8} {:>8} {:>8}\n", full,
      options.match == Match::none      ? "as they are"
      : options.match == Match::entropy ? "each at softmax's mean entropy, head by head"
                                        : "each at softmax's mean largest weight, head by head",
      "", width, "T", fmt::format("N_s/{}", shown_top), "crit. N", "by E0", "entropy", "largest", "zeros", "|J| mean",
      "|J| most", "change");
  const std::vector<std::string> normalizer = table.texts("normalizer");
  const std::vector<double> length = table.numbers("length");
  const std::vector<double> top = table.numbers("top");
  const std::vector<double> temperature = table.numbers("temperature");
  const auto column = [&](const char* name) { return table.optional_numbers(name); };
  const auto separable = column("separable");
  const auto critical = column("critical_top");
  const auto critical_expected = column("critical_top_expected");
  const auto entropy = column("entropy");
  const auto largest = column("max_weight");
  const auto zeros = column("zeros");
  const auto mean = column("jacobian_mean");
  const auto worst = column("jacobian_worst");
  const auto change = column("output_change");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (length[row] != full || top[row] != static_cast<double>(shown_top)) continue;
    text += fmt::format("{:<{}} {:>7.3g} {:>7} {:>8} {:>6} {:>8} {:>8} {:>7} {:>8} {:>8} {:>8}\n",
                        short_spec(normalizer[row]), width, temperature[row], shown(separable[row], "{:.3f}"),
                        shown(critical[row], "{:.0f}"), shown(critical_expected[row], "{:.0f}"),
                        shown(entropy[row], "{:.3f}"), shown(largest[row], "{:.4f}"), shown(zeros[row], "{:.3f}"),
                        shown(mean[row], "{:.4f}"), shown(worst[row], "{:.3f}"), shown(change[row], "{:.3f}"));
  }
  text +=
      "\nT: mean fitted temperature; crit. N: smallest N of the grid at which D and E1 are not told apart, by E0: D "
      "and E0;\n"
      "zeros: share of the visible tokens with weight 0; |J|: norm of the Jacobian, its mean over queries and the "
      "largest of a head;\n"
      "change: of the head's output against the model's own softmax, relative.\n";
  return text + unbounded_norm_note(options.normalizers);
}

}  // namespace headroom::app
