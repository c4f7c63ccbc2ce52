#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/logits.hpp"
#include "sim/normalizer.hpp"
#include "sim/sphere.hpp"
#include "verify/cell_points.hpp"
#include "verify/plan.hpp"

namespace headroom::verify {

/// What one Monte-Carlo cell is: how a head is drawn, and what is measured of it.
struct CellParameters {
  std::size_t length = 0;         ///< L >= 2, tokens
  std::size_t dim = 0;            ///< d >= 2
  std::vector<std::size_t> tops;  ///< the N, 1 <= N < L
  QuantitySet quantities = QuantitySet::cheap();
  double temperature = 1.0;  ///< T > 0
  std::string normalizer = "softmax";
  std::string logits = "gaussian";
  double separation = 0.0;  ///< δ: no two vectors are nearer than this
  std::string sampler;      ///< one of cell_samplers(); empty: the default for d, L and δ
};

/// A cell whose parameters have been checked and put into one spelling. Immutable, so threads share it.
///
/// Vectors are on the unit sphere, and the bounds of Theorem 2 take M = 1 and δ as they are in the cell, not as they
/// come out in a draw.
class Cell {
 public:
  /// Throws usage errors saying what is allowed: L < 2, d < 2, no N, N = 0 or N >= L, T not positive and finite, δ
  /// negative or beyond what L points allow, unknown specs, and quantities that the normalizer's negative weights or
  /// the sampler leave undefined.
  /// `recorded` stands for a logit model "file:PATH", which the caller reads.
  explicit Cell(CellParameters parameters, std::shared_ptr<const sim::LogitModel> recorded = nullptr);

  /// With the specs canonical, N sorted and the sampler filled in.
  [[nodiscard]] const CellParameters& parameters() const { return parameters_; }

  /// Everything the draws depend on, e.g. "length=1024;dim=64;logits=gaussian:sigma=1;…". Neither the number of trials
  /// nor what is measured is part of it: a cell can be topped up, and asking for more of the same draws changes none.
  [[nodiscard]] const std::string& canonical() const { return canonical_; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const sim::Normalizer& normalizer() const { return *normalizer_; }
  [[nodiscard]] const sim::LogitModel& logits() const { return *logits_; }

  /// Whether the vectors are never drawn, only what the quantities need of them (CellProjection).
  [[nodiscard]] bool projected() const { return !sampler_; }
  /// Whether the vectors are independent and uniform, and how their coordinates are then drawn.
  [[nodiscard]] bool independent() const { return independent_; }
  [[nodiscard]] CellPoints::Precision precision() const { return precision_; }
  /// Requires !projected(). `independent` cells draw their vectors themselves, in another order than this sampler.
  [[nodiscard]] const sim::SphereSampler& sampler() const { return *sampler_; }

 private:
  void choose_sampler();
  void check_quantities();

  CellParameters parameters_;
  std::shared_ptr<const sim::Normalizer> normalizer_;
  std::shared_ptr<const sim::LogitModel> logits_;
  std::shared_ptr<const sim::SphereSampler> sampler_;
  bool independent_ = true;
  CellPoints::Precision precision_ = CellPoints::Precision::float32;
  Plan plan_;
  std::string canonical_;
  std::uint64_t hash_ = 0;
};

/// What canonical() is made of parameters whose specs are canonical and whose sampler is named; checks nothing.
[[nodiscard]] std::string cell_text(const CellParameters& parameters);

/// The usage errors of Cell about L, d, N, T and δ alone, without making anything.
void check_cell_shape(const CellParameters& parameters);

/// What `list samplers` shows: those of sim, `uniform` with its precision, and `projected`.
[[nodiscard]] std::vector<sim::EntryInfo> cell_samplers();

/// The quantities of a comma-separated list of their names, or "all"; "cheap" is the default set of `simulate`.
/// Throws a usage error naming the nearest right one.
[[nodiscard]] QuantitySet quantities_of(const std::string& list);

}  // namespace headroom::verify
