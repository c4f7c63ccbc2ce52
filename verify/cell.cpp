#include "verify/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "sim/hash.hpp"
#include "verify/cell_projection.hpp"

namespace headroom::verify {
namespace {

const char* const uniform_id = "uniform";
const char* const projected_id = "projected";

CellPoints::Precision precision_of(const sim::Spec& spec) {
  const std::string key = "coordinates";
  if (spec.text(key) == "float32") return CellPoints::Precision::float32;
  if (spec.text(key) == "float64") return CellPoints::Precision::float64;
  spec.reject(key, "float32 or float64");
}

}  // namespace

void check_cell_shape(const CellParameters& p) {
  if (p.length < 2) {
    throw_usage(fmt::format("a length of {} leaves no token to tell apart", p.length), "--length",
                "L is a whole number of at least 2");
  }
  if (p.dim < 2) {
    throw_usage(fmt::format("{} dimensions have no sphere to draw points from", p.dim), "--dim",
                "d is a whole number of at least 2");
  }
  if (p.tops.empty()) throw_usage("no N is given", "--top", "name at least one, e.g. --top 1,5,20");
  for (const std::size_t top : p.tops) {
    if (top >= 1 && top < p.length) continue;
    throw_usage(fmt::format("N = {} does not leave both a selected and a non-selected token of {}", top, p.length),
                "--top", fmt::format("1 <= N <= L - 1 = {}", p.length - 1));
  }
  if (!(p.temperature > 0) || !std::isfinite(p.temperature)) {
    throw_usage(fmt::format("the temperature {} is not positive and finite", p.temperature), "--temperature", "T > 0");
  }
  if (!(p.separation >= 0) || !std::isfinite(p.separation)) {
    throw_usage(fmt::format("the separation {} is not a distance", p.separation), "--separation", "0 <= delta < 2");
  }
}

std::string cell_text(const CellParameters& p) {
  return fmt::format("length={};dim={};logits={};normalizer={};temperature={};separation={};sampler={}", p.length,
                     p.dim, p.logits, p.normalizer, p.temperature, p.separation, p.sampler);
}

Cell::Cell(CellParameters parameters, std::shared_ptr<const sim::LogitModel> recorded)
    : parameters_(std::move(parameters)), logits_(std::move(recorded)), plan_({}) {
  check_cell_shape(parameters_);
  normalizer_ = sim::make_normalizer(parameters_.normalizer);
  if (!logits_) logits_ = sim::make_logit_model(parameters_.logits, parameters_.dim);
  parameters_.normalizer = normalizer_->name();
  parameters_.logits = logits_->name();
  std::vector<std::size_t>& tops = parameters_.tops;
  std::sort(tops.begin(), tops.end());
  tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  choose_sampler();
  check_quantities();
  plan_ = Plan::uniform(tops, parameters_.quantities);
  canonical_ = cell_text(parameters_);
  hash_ = sim::hash64(canonical_);
}

void Cell::choose_sampler() {
  const sim::SphereProblem problem{parameters_.length, parameters_.dim, parameters_.separation};
  if (parameters_.sampler.empty()) parameters_.sampler = sim::default_sphere_sampler(problem);
  const std::vector<sim::EntryInfo> known = cell_samplers();
  const sim::Spec spec(parameters_.sampler, "sampler", known);
  parameters_.sampler = spec.canonical();
  if (spec.id() != projected_id) {
    sampler_ = sim::make_sphere_sampler(spec.id() == uniform_id ? uniform_id : spec.canonical(), problem);
    independent_ = spec.id() == uniform_id;
    if (independent_) precision_ = precision_of(spec);
    return;
  }
  if (parameters_.separation > 0) {
    throw_usage("separated vectors are not independent, as projected needs them", "--sampler",
                "leave it out, or use --separation 0");
  }
}

void Cell::check_quantities() {
  const bool by_default = parameters_.quantities == QuantitySet::cheap();
  // What is not defined: left out of the default, refused when it was asked for.
  const auto leave = [&](QuantitySet defined, const std::string& reason, const char* remedy) {
    for (std::size_t q = 0; q < quantity_count; ++q) {
      const auto quantity = static_cast<Quantity>(q);
      if (!parameters_.quantities.has(quantity) || defined.has(quantity)) continue;
      if (!by_default) throw_usage(fmt::format("{} {}", quantity_names[q], reason), "--quantities", remedy);
      parameters_.quantities.erase(quantity);
    }
  };
  if (!normalizer_->nonnegative()) {
    // Sections 1 and 3 of the theory, and the bounds of Section 2, take weights of at least 0 for granted.
    leave({Quantity::distance, Quantity::expected, Quantity::expected_full},
          "is not defined for the negative weights of " + normalizer_->name(),
          "use distance, expected and expected_full");
  }
  if (projected()) {
    leave(CellProjection::supported(), "needs products between the vectors, which projected does not draw",
          "leave it out, or use --sampler uniform");
  }
}

std::vector<sim::EntryInfo> cell_samplers() {
  const std::span<const sim::EntryInfo> of_sim = sim::sphere_sampler_list();
  std::vector<sim::EntryInfo> all(of_sim.begin(), of_sim.end());
  for (sim::EntryInfo& entry : all) {
    if (entry.id != uniform_id) continue;
    entry.keys.push_back({"coordinates", "float32",
                          "float32 or float64, what the directions are drawn in; float32 is twice as fast, and moves "
                          "their law by about 1e-7"});
  }
  sim::EntryInfo projected;
  projected.id = projected_id;
  projected.formula = "the law of uniform, drawing only the selected vectors and s.x_j; not for expected quantities";
  projected.source = "this project";
  all.push_back(std::move(projected));
  return all;
}

QuantitySet quantities_of(const std::string& list) {
  if (list == "all") return QuantitySet::all();
  QuantitySet set;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const std::optional<Quantity> quantity = quantity_named(name);
    if (!quantity) {
      std::vector<std::string> known(quantity_names.begin(), quantity_names.end());
      known.emplace_back("all");
      throw_usage(fmt::format("there is no quantity '{}'", name), "--quantities",
                  "did you mean " + nearest(name, known) + "?");
    }
    set.insert(*quantity);
    begin = end + 1;
  }
  return set;
}

}  // namespace headroom::verify
