#include "app/frontier/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/csv.hpp"
#include "app/normalizer_choice.hpp"

namespace headroom::app {
namespace {

/// Why cells of the table hold what they hold, once for all weights that it is so of.
class Notes {
 public:
  void add(const std::string& normalizer, std::size_t length, double weight, const std::string& reason) {
    if (reason.empty()) return;
    const std::string name = short_spec(normalizer);
    const std::string of = frontier_reaches(normalizer, weight) ? fmt::format("{}, n = {}", name, length) : name;
    const auto same = [&](const Note& note) { return note.of == of && note.reason == reason; };
    auto note = std::find_if(notes_.begin(), notes_.end(), same);
    if (note == notes_.end()) note = notes_.insert(note, Note{of, {}, reason});
    const std::string text = number_text(weight);
    if (std::find(note->weights.begin(), note->weights.end(), text) == note->weights.end())
      note->weights.push_back(text);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Note& note : notes_) {
      text += fmt::format("{}, p = {}: {}\n", note.of, fmt::join(note.weights, ", "), note.reason);
    }
    return text;
  }

 private:
  struct Note {
    std::string of;  // normalizer, and n where it depends on that
    std::vector<std::string> weights;
    std::string reason;
  };
  std::vector<Note> notes_;
};

Cell optional_cell(std::optional<double> value) { return value ? Cell(*value) : Cell(); }

// Three digits where they are readable, else an exponent.
std::string number_cell(std::optional<double> value) {
  if (!value) return "-";
  if (*value == 0) return "0";
  return *value >= 1e-3 && *value < 1e4 ? fmt::format("{:.3f}", *value) : fmt::format("{:.1e}", *value);
}

}  // namespace

std::vector<std::string> frontier_normalizers() {
  const std::vector<std::string> names = {"softmax",  "ssmax:s=0.43", "logn",           "topk:k=32",
                                          "softmax1", "sigmoid",      "sparsemax",      "entmax",
                                          "asentmax", "sasoftmax",    "sasoftmax-norm", "power:f=square"};
  return normalizer_specs(names);
}

Table frontier_table(const FrontierGrid& grid) {
  using Kind = Column::Kind;
  Table table({{"normalizer", Kind::text},
               {"length"},
               {"weight"},
               {"margin", Kind::optional_number},
               {"jacobian_norm", Kind::optional_number},
               {"note", Kind::text}},
              "frontier.csv");
  for (const std::string& normalizer : grid.normalizers) {
    for (const std::size_t n : grid.lengths) {
      const auto length = static_cast<double>(n);
      for (const double weight : grid.weights) {
        FrontierAnswer at = frontier_answer(normalizer, length, weight, grid.temperature);
        table.add({normalizer, length, weight, optional_cell(at.margin), optional_cell(at.jacobian_norm),
                   std::move(at.note)});
      }
    }
  }
  return table;
}

std::string frontier_text(const FrontierGrid& grid) {
  std::size_t width = 14;
  for (const std::string& normalizer : grid.normalizers) width = std::max(width, short_spec(normalizer).size());
  std::string text = fmt::format(
      "Margin in logits that one token needs over n - 1 equal ones at logit 0 to get weight p, and the norm of the\n"
      "Jacobian there: how far the weights move per unit the logits move. T = {}\n",
      number_text(grid.temperature));
  Notes notes;
  for (const std::size_t n : grid.lengths) {
    text += fmt::format("\n{:<{}}", fmt::format("n = {}", n), width);
    for (const double p : grid.weights) text += fmt::format("  {:>19}", "p = " + number_text(p));
    text += fmt::format("\n{:<{}}", "", width);
    for (std::size_t i = 0; i < grid.weights.size(); ++i) text += fmt::format("  {:>10} {:>8}", "margin", "norm");
    text += '\n';
    for (const std::string& normalizer : grid.normalizers) {
      const std::string name = short_spec(normalizer);
      text += fmt::format("{:<{}}", name, width);
      for (const double p : grid.weights) {
        const FrontierAnswer at = frontier_answer(normalizer, static_cast<double>(n), p, grid.temperature);
        text += fmt::format("  {:>10} {:>8}", number_cell(at.margin), number_cell(at.jacobian_norm));
        notes.add(normalizer, n, p, at.note);
      }
      text += '\n';
    }
  }
  const std::string unbounded = unbounded_norm_note(grid.normalizers);
  const std::string explained = notes.text() + unbounded;
  return explained.empty() ? text : text + '\n' + explained;
}

Table frontier_curves(const FrontierGrid& grid) {
  using Kind = Column::Kind;
  Table table({{"normalizer", Kind::text}, {"length"}, {"weight"}, {"margin"}, {"jacobian_norm"}}, "curves.csv");
  const auto add = [&](const std::string& normalizer, double length, double weight) {
    const FrontierAnswer at = frontier_answer(normalizer, length, weight, grid.temperature);
    if (at.margin && at.jacobian_norm) table.add({normalizer, length, weight, *at.margin, *at.jacobian_norm});
  };
  constexpr int steps = 140;
  constexpr double odds_end = 6.9;  // log-odds of 0.999
  const double middle = grid.weights[grid.weights.size() / 2];
  for (const std::string& normalizer : grid.normalizers) {
    for (int i = 0; i <= steps; ++i) {
      const double odds = odds_end * (2.0 * i / steps - 1);
      add(normalizer, static_cast<double>(grid.lengths.back()), 1 / (1 + std::exp(-odds)));
    }
    for (int power = 1; power <= 20; ++power) add(normalizer, std::exp2(power), middle);
  }
  return table;
}

}  // namespace headroom::app
