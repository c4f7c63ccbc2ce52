#include "verify/sweep/claim_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "sim/separation.hpp"
#include "verify/claims/pointwise.hpp"

namespace headroom::verify::sweep {
namespace {

struct KeyText {
  CellKey key;
  const char* name;
  std::string (*value)(const CellChoice&);
};

// In the order in which a cell's text has them.
const std::array<KeyText, 10> key_texts = {
    {{CellKey::dim, "dim", [](const CellChoice& c) { return fmt::format("{}", c.head.dim); }},
     {CellKey::top, "top", [](const CellChoice& c) { return fmt::format("{}", c.top); }},
     {CellKey::normalizer, "normalizer", [](const CellChoice& c) { return c.head.normalizer; }},
     {CellKey::logits, "logits", [](const CellChoice& c) { return c.head.logits; }},
     {CellKey::separation, "separation", [](const CellChoice& c) { return fmt::format("{}", c.head.separation); }},
     {CellKey::shift, "shift", [](const CellChoice& c) { return fmt::format("{}", c.head.shift); }},
     {CellKey::radius, "radius", [](const CellChoice& c) { return fmt::format("{}", c.radius); }},
     {CellKey::heads, "heads", [](const CellChoice& c) { return fmt::format("{}", c.heads); }},
     {CellKey::correlation, "correlation", [](const CellChoice& c) { return fmt::format("{}", c.correlation); }},
     {CellKey::margin, "margin", [](const CellChoice& c) { return fmt::format("{}", c.margin); }}}};

// A default, where the claim's own specs are empty.
CellChoice unset() {
  CellChoice choice;
  choice.head.logits.clear();
  choice.head.normalizer.clear();
  return choice;
}

/// What the inputs of a claim about every input are like: as those of its own grid.
struct PointKeys {
  explicit PointKeys(const PointwiseClaim& claim) {
    if (claim.domain().vectors) reads.push_back(CellKey::dim);
    bool selects = false;
    for (const PointCell& cell : claim.grid(Preset::full)) {
      selects = selects || cell.shape.top > 0;
      normalizers.push_back(cell.shape.normalizer);
    }
    if (selects) reads.push_back(CellKey::top);
    reads.push_back(CellKey::normalizer);
  }

  std::vector<CellKey> reads;
  std::vector<std::string> normalizers;
};

std::vector<CellKey> keys_of(const Claim& claim) {
  if (const auto* pointwise = dynamic_cast<const PointwiseClaim*>(&claim)) return PointKeys(*pointwise).reads;
  const CellFamily* family = family_of(claim);
  return family == nullptr ? std::vector<CellKey>() : family->reads;
}

bool reads(const std::vector<CellKey>& keys, CellKey key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void check_keys(const ClaimChoice& choice, const std::vector<CellKey>& keys) {
  std::string known = "length";
  for (const KeyText& text : key_texts) {
    if (reads(keys, text.key)) known += std::string(", ") + text.name;
  }
  const CellChoice defaults = unset();
  for (const KeyText& text : key_texts) {
    const std::string value = text.value(choice.cell);
    if (reads(keys, text.key) || value == text.value(defaults)) continue;
    throw_usage(fmt::format("the claim {} has no {}", choice.claim->id(), text.name), text.name,
                fmt::format("it has {}; leave {} = {} to the claims that have it", known, text.name, value));
  }
}

void check_sizes(const CellChoice& cell, const std::vector<CellKey>& keys, std::size_t least_length,
                 std::size_t least_dim, std::size_t least_top) {
  const HeadSpec& head = cell.head;
  if (head.length < least_length) {
    throw_usage(fmt::format("a length of {} is too short", head.length), "length",
                fmt::format("the claim needs at least {}", least_length));
  }
  if (reads(keys, CellKey::dim) && head.dim < least_dim) {
    throw_usage(fmt::format("{} dimensions are too few", head.dim), "dim",
                fmt::format("the claim needs at least {}", least_dim));
  }
  if (reads(keys, CellKey::top) && !(cell.top >= least_top && cell.top < head.length)) {
    throw_usage(fmt::format("N = {} is out of range", cell.top), "top",
                fmt::format("{} <= N <= L - 1 = {}", least_top, head.length - 1));
  }
}

std::string id_of(const std::string& spec) { return spec.substr(0, spec.find(':')); }

void check_point(const PointwiseClaim& claim, CellChoice& cell) {
  const PointKeys keys(claim);
  const Domain& domain = claim.domain();
  check_sizes(cell, keys.reads, std::max<std::size_t>(domain.least_length, reads(keys.reads, CellKey::top) ? 2 : 1),
              domain.least_dim, 1);
  std::string& normalizer = cell.head.normalizer;
  if (normalizer.empty()) normalizer = keys.normalizers.front();
  normalizer = sim::make_normalizer(normalizer)->name();
  const auto same_id = [&](const std::string& own) { return id_of(own) == id_of(normalizer); };
  if (std::any_of(keys.normalizers.begin(), keys.normalizers.end(), same_id)) return;
  throw_usage(fmt::format("the claim {} is not about {}", claim.id(), normalizer), "normalizer",
              "it is about " + keys.normalizers.front() + "; leave the normalizer out for that");
}

void check_means(const CellFamily& family, CellChoice& cell) {
  check_sizes(cell, family.reads, family.least_length, 2, family.least_top);
  HeadSpec& head = cell.head;
  if (head.normalizer.empty()) head.normalizer = "softmax";
  if (head.logits.empty()) head.logits = "gaussian";
  const auto normalizer = sim::make_normalizer(head.normalizer);
  head.normalizer = normalizer->name();
  if (!normalizer->nonnegative()) {
    throw_usage("the weights of " + head.normalizer + " can be negative, and the claim is about weights of at least 0",
                "normalizer", "take another");
  }
  if (!sim::recorded_path(head.logits).empty()) {
    throw_usage("claims are about logits that are drawn, not recorded", "logits", "one of headroom list logits");
  }
  head.logits = sim::make_logit_model(head.logits, std::max<std::size_t>(head.dim, 2))->name();
  const auto finite = [](const char* name, double value, double least, double most, const char* allowed) {
    if (!(value >= least && value <= most)) {
      throw_usage(fmt::format("{} = {} is out of range", name, value), name, allowed);
    }
  };
  constexpr double large = 1e300;
  const double apart = reads(family.reads, CellKey::separation) && head.dim >= 2
                           ? sim::largest_separation(head.length, head.dim)
                           : large;
  finite("separation", head.separation, 0, apart, "0 or more, and small enough for that many points in d dimensions");
  finite("shift", head.shift, -large, large, "a finite number");
  finite("radius", cell.radius, 0, large, "a number of at least 0");
  finite("correlation", cell.correlation, 0, 1, "a number from 0 to 1");
  finite("margin", cell.margin, -large, large, "a finite number");
  if (cell.heads == 0) throw_usage("no heads cover anything", "heads", "a whole number of at least 1");
}

TrialCell cell_of_means(const MeanCell& cell) {
  TrialCell trials;
  if (!cell.bounds.empty()) trials.quantities.emplace_back("observed");
  for (const MeanBound& bound : cell.bounds) {
    const std::string side = bound.side == MeanBound::Side::upper ? "upper" : "lower";
    trials.quantities.push_back(side);
    trials.quantities.push_back(side + "_excess");
  }
  for (const std::string& name : cell.measured) trials.quantities.push_back(name);
  trials.make_trial = [cell] {
    std::vector<Sample> samples(cell.bounds.size() + cell.measured.size());
    return [cell, samples, trial = cell.make_trial()](sim::Stream& stream,
                                                      std::span<std::optional<double>> values) mutable {
      std::fill(samples.begin(), samples.end(), Sample{});
      trial(stream, samples);
      std::size_t at = 0;
      // Both sides are about the same observation.
      if (!cell.bounds.empty()) values[at++] = samples.front().observed;
      for (std::size_t k = 0; k < cell.bounds.size(); ++k) {
        const Sample& sample = samples[k];
        const double excess = sample.observed - sample.bound;
        values[at++] = sample.bound;
        values[at++] = cell.bounds[k].side == MeanBound::Side::upper ? excess : -excess;
      }
      for (std::size_t k = cell.bounds.size(); k < samples.size(); ++k) values[at++] = samples[k].observed;
    };
  };
  return trials;
}

TrialCell cell_of_inputs(const PointwiseClaim& claim, const CellChoice& cell) {
  const PointKeys keys(claim);
  Shape shape{cell.head.length, 0, 0, cell.head.normalizer};
  if (reads(keys.reads, CellKey::dim)) shape.dim = cell.head.dim;
  if (reads(keys.reads, CellKey::top)) shape.top = cell.top;
  TrialCell trials;
  trials.quantities = {"violations", "tightness", "trivial"};
  trials.make_trial = [&claim, shape] {
    return [&claim, shape](sim::Stream& stream, std::span<std::optional<double>> values) {
      const PointInput input = draw_input(stream, shape, claim.domain());
      Outcome outcome = claim.evaluate(input);
      // A would-be violation is a fact only once more digits confirm it.
      if (outcome.violated()) outcome = claim.evaluate_exactly(input);
      values[0] = outcome.violated() ? 1 : 0;
      if (!outcome.trivial) values[1] = outcome.tightness();
      values[2] = outcome.trivial ? 1 : 0;
    };
  };
  return trials;
}

}  // namespace

void ClaimChoice::check() {
  const auto* pointwise = dynamic_cast<const PointwiseClaim*>(claim);
  const CellFamily* family = family_of(*claim);
  if (pointwise == nullptr && family == nullptr) {
    throw_usage(fmt::format("the claim {} is one experiment, not a mean over trials", claim->id()), "claim",
                "leave it out; headroom verify --claims " + claim->id() + " does it");
  }
  check_keys(*this, keys_of(*claim));
  pointwise != nullptr ? check_point(*pointwise, cell) : check_means(*family, cell);
}

std::string ClaimChoice::text() const {
  const std::vector<CellKey> keys = keys_of(*claim);
  std::string text = fmt::format("claim={};length={}", claim->id(), cell.head.length);
  for (const KeyText& one : key_texts) {
    if (reads(keys, one.key)) text += fmt::format(";{}={}", one.name, one.value(cell));
  }
  return text;
}

double ClaimChoice::seconds() const {
  const auto length = static_cast<double>(cell.head.length);
  const auto dim = static_cast<double>(cell.head.dim);
  // The Jacobians are compared in 168 bits, the norm of lemma2's by a dense one; vectors are drawn and summed.
  const std::string& id = claim->id();
  if (id.starts_with("jacobian.")) return 1e-5 * length * length + 5e-5 * length + 1e-5;
  if (id == "lemma2") return 1e-8 * length * length + 1e-6;
  if (id == "random-direction") return 1e-6 * length;
  return static_cast<double>(cell.heads) * (1e-8 * length * (dim + 10)) + 1e-6;
}

TrialCell claim_cell(const ClaimChoice& choice) {
  const auto* pointwise = dynamic_cast<const PointwiseClaim*>(choice.claim);
  TrialCell cell = pointwise != nullptr ? cell_of_inputs(*pointwise, choice.cell)
                                        : cell_of_means(family_of(*choice.claim)->cell(choice.cell));
  cell.of = choice.text();
  return cell;
}

const std::vector<std::string>& claim_quantities() {
  static const std::vector<std::string> names = {
      "observed",       "upper",   "upper_excess", "lower",     "lower_excess",      "violations",
      "tightness",      "trivial", "distance",     "radius",    "separable",         "coverage",
      "understatement", "ratio",   "weight",       "1-(1-p)^H", "distance per token"};
  return names;
}

}  // namespace headroom::verify::sweep
