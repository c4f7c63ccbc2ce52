// How far the resolution law is from simulation: every cell as CSV, a picture, and the tables of
// docs/resolution-law.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/figures/common.hpp"
#include "app/output.hpp"
#include "app/plot/chart.hpp"
#include "app/plot/svg.hpp"
#include "bench/law_difference.hpp"
#include "core/error.hpp"

namespace headroom::bench {
namespace {

namespace figures = app::figures;
namespace palette = app::plot::palette;

const std::vector<std::size_t> dims = {2, 3, 4, 8, 16, 64, 256, 1024};
const std::vector<std::size_t> tops = {1, 2, 3, 8, 32, 256};
const std::vector<std::size_t> lengths = {32, 256, 2048, 8192};
const std::vector<std::string> logit_models = {"gaussian:sigma=1", "planted:k=4,m=2", "zipf:s=1", "sink:share=0.5",
                                               "step:k=16"};

struct Effort {
  std::uint64_t seed = 1;
  std::size_t draws = 50;
  double error = 0.002;
  double tolerance = 1e-3;
};

struct Difference {
  double mean = 0;
  double error = 0;
};

struct Entry {
  LawCell cell;
  std::size_t top = 0;
  double separable = 0;  ///< simulated
  Difference plain;      ///< law − simulation
  Difference refined;
};

using Law = Difference Entry::*;

/// Draws of the vectors per draw of the weights that bring the standard error under what is asked: N_s/N of a head is a
/// mean of N correlated yes-or-noes.
std::size_t vectors_for(std::size_t top, const Effort& effort) {
  const double variance = top == 1 ? 0.0 : 0.25 / std::sqrt(static_cast<double>(top));
  const double needed = variance / (effort.error * effort.error) / static_cast<double>(effort.draws);
  return std::max<std::size_t>(4, static_cast<std::size_t>(std::ceil(needed)));
}

std::vector<Entry> grid() {
  std::vector<Entry> entries;
  for (const std::size_t length : lengths) {
    for (const std::size_t dim : dims) {
      for (const std::string& logits : logit_models) {
        for (const std::size_t top : tops) {
          if (top < length) entries.push_back({{length, dim, logits}, top, 0, {}, {}});
        }
      }
    }
  }
  return entries;
}

/// What is written: six digits tell more than any of the errors allows.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

void measure(std::vector<Entry>& entries, const Effort& effort) {
  std::vector<std::unique_ptr<const Laws>> laws;
  for (const std::size_t dim : dims) {
    laws.push_back(std::make_unique<const Laws>(
        Laws{theory::ResolutionLaw(dim, {.tolerance = effort.tolerance, .refined = false}),
             theory::ResolutionLaw(dim, {.tolerance = effort.tolerance, .refined = true})}));
  }
  std::size_t done = 0;
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(entries.size()) - 1; i >= 0; --i) {
    Entry& entry = entries[static_cast<std::size_t>(i)];
    const auto dim = std::find(dims.begin(), dims.end(), entry.cell.dim) - dims.begin();
    const LawDifference found = law_difference(entry.cell, entry.top, *laws[static_cast<std::size_t>(dim)], effort.seed,
                                               effort.draws, vectors_for(entry.top, effort));
    entry.separable = rounded(found.simulated.mean);
    entry.plain = {rounded(found.plain.mean), rounded(found.plain.standard_error())};
    entry.refined = {rounded(found.refined.mean), rounded(found.refined.standard_error())};
#pragma omp critical
    if (++done % 100 == 0) fmt::print(stderr, "law_map: {} of {} cells\n", done, entries.size());
  }
}

std::vector<app::Column> columns() {
  return {{"length"},  {"dim"},       {"logits", app::Column::Kind::text}, {"top"}, {"separable"}, {"law"}, {"law_se"},
          {"refined"}, {"refined_se"}};
}

std::string csv(const std::vector<Entry>& entries) {
  app::Table table(columns(), "resolution-law.csv");
  for (const Entry& e : entries) {
    table.add({static_cast<double>(e.cell.length), static_cast<double>(e.cell.dim), e.cell.logits,
               static_cast<double>(e.top), e.separable, e.plain.mean, e.plain.error, e.refined.mean, e.refined.error});
  }
  return app::to_csv(table);
}

std::vector<Entry> read_entries(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) throw_input("it cannot be read", file, "name a resolution-law.csv");
  const app::Table table = app::parse_csv(text, columns(), file);
  const auto column = [&](const char* name) { return table.numbers(name); };
  const auto lengths_of = column("length"), dims_of = column("dim"), tops_of = column("top");
  const auto separable = column("separable"), law = column("law"), law_se = column("law_se");
  const auto refined = column("refined"), refined_se = column("refined_se");
  const std::vector<std::string> logits = table.texts("logits");
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    entries.push_back({{static_cast<std::size_t>(lengths_of[i]), static_cast<std::size_t>(dims_of[i]), logits[i]},
                       static_cast<std::size_t>(tops_of[i]),
                       separable[i],
                       {law[i], law_se[i]},
                       {refined[i], refined_se[i]}});
  }
  return entries;
}

/// The entry with the largest |law − simulation| among those that `keep` keeps.
template <class Keep>
const Entry* worst(const std::vector<Entry>& entries, Law law, Keep keep) {
  const Entry* found = nullptr;
  for (const Entry& e : entries) {
    if (!keep(e)) continue;
    if (found == nullptr || std::abs((e.*law).mean) > std::abs((found->*law).mean)) found = &e;
  }
  return found;
}

std::string worst_table(const std::vector<Entry>& entries, Law law) {
  std::string text = "| d |";
  for (const std::size_t top : tops) text += fmt::format(" N = {} |", top);
  text += "\n|---|";
  for (std::size_t i = 0; i < tops.size(); ++i) text += "---|";
  for (const std::size_t dim : dims) {
    text += fmt::format("\n| {} |", dim);
    for (const std::size_t top : tops) {
      const Entry* e = worst(entries, law, [&](const Entry& c) { return c.cell.dim == dim && c.top == top; });
      text += fmt::format(" {:+.4f} ± {:.4f} |", (e->*law).mean, (e->*law).error);
    }
  }
  return text + "\n";
}

std::string outside_table(std::vector<Entry> entries, Law law, double limit) {
  std::erase_if(entries, [&](const Entry& e) { return std::abs((e.*law).mean) <= limit; });
  std::sort(entries.begin(), entries.end(),
            [&](const Entry& a, const Entry& b) { return std::abs((a.*law).mean) > std::abs((b.*law).mean); });
  std::string text = fmt::format("{} cells are off by more than {}\n", entries.size(), limit);
  for (std::size_t i = 0; i < std::min<std::size_t>(entries.size(), 20); ++i) {
    const Entry& e = entries[i];
    text += fmt::format("| {} | {} | {} | {} | {:.4f} | {:+.4f} ± {:.4f} |\n", e.cell.dim, e.top, e.cell.length,
                        e.cell.logits, e.separable, (e.*law).mean, (e.*law).error);
  }
  return text;
}

app::plot::Drawing picture(const std::vector<Entry>& entries) {
  using namespace app::plot;
  constexpr Colour colours[] = {palette::black, palette::purple,    palette::green,
                                palette::blue,  palette::vermilion, palette::orange};
  constexpr Marker markers[] = {Marker::none,    Marker::square, Marker::triangle,
                                Marker::diamond, Marker::circle, Marker::square};
  Chart chart;
  chart.title = "How far the resolution law is from simulation";
  chart.subtitle = "largest difference in the separable share, over four lengths and five logit models";
  chart.caption = "Solid: refined law, exact for N = 2 and 3, where noise remains. Dashed: unrefined.";
  chart.x.kind = Scale::Kind::logarithmic;
  chart.x.label = RichText("dimension ") + variable("d");
  chart.x.labelled = std::vector<double>(dims.begin(), dims.end());
  chart.y.kind = Scale::Kind::logarithmic;
  chart.y.label = RichText("largest difference");
  Legend legend(1);
  for (std::size_t t = 1; t < tops.size(); ++t) {
    for (const Law law : {&Entry::plain, &Entry::refined}) {
      const bool refined = law == &Entry::refined;
      std::vector<Point> points;
      for (const std::size_t dim : dims) {
        const Entry* e = worst(entries, law, [&](const Entry& c) { return c.cell.dim == dim && c.top == tops[t]; });
        points.push_back({static_cast<double>(dim), std::abs((e->*law).mean)});
      }
      const figures::Look look{{colours[t], refined ? 1.1 : 0.7, refined ? Dash::solid : Dash::dashed},
                               refined ? markers[t] : Marker::none};
      if (!refined && tops[t] <= 2) continue;
      chart.layers.emplace_back(figures::line(points, look));
      if (refined) legend[0].push_back(figures::key(RichText(fmt::format("N = {}", tops[t])), look));
    }
  }
  const figures::Look goal{{palette::grey, 0.8, Dash::dotted}};
  chart.layers.emplace_back(figures::line({{2, 0.01}, {1024, 0.01}}, goal));
  legend[0].push_back(figures::key(RichText("0.01"), goal));
  chart.legend = legend;
  return draw(chart);
}

int run(const Effort& effort, const std::string& folder, const std::string& saved) {
  app::create_output_folder(folder);
  std::vector<Entry> entries = saved.empty() ? grid() : read_entries(saved);
  if (saved.empty()) {
    measure(entries, effort);
    app::write_file(folder + "/resolution-law.csv", csv(entries));
  }
  app::write_file(folder + "/resolution-law.svg", app::plot::to_svg(picture(entries)));
  fmt::print("refined law, worst over lengths and logit models\n{}\n", worst_table(entries, &Entry::refined));
  fmt::print("law, worst over lengths and logit models\n{}\n", worst_table(entries, &Entry::plain));
  fmt::print("refined law, {}\n", outside_table(entries, &Entry::refined, 0.01));
  return 0;
}

}  // namespace
}  // namespace headroom::bench

int main(int argc, char* argv[]) {
  headroom::bench::Effort effort;
  std::string folder = ".";
  CLI::App program{"|law - simulation| of the resolution law over a grid of cells"};
  program.add_option("--seed", effort.seed)->capture_default_str();
  program.add_option("--draws", effort.draws, "draws of the weights per cell")->capture_default_str();
  program.add_option("--error", effort.error, "standard error to reach in every cell")->capture_default_str();
  program.add_option("--tolerance", effort.tolerance, "of the laws' integrals")->capture_default_str();
  program.add_option("-o,--output", folder, "folder for resolution-law.csv and .svg")->capture_default_str();
  std::string saved;
  program.add_option("--from", saved, "a resolution-law.csv to show again instead of measuring");
  CLI11_PARSE(program, argc, argv);
  try {
    return headroom::bench::run(effort, folder, saved);
  } catch (const std::exception& error) {
    fmt::print(stderr, "law_map: {}\n", error.what());
    return 3;
  }
}
