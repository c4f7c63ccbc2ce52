#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/matrix_view.hpp"
#include "sim/random.hpp"
#include "sim/spec.hpp"

namespace headroom::sim {

/// What is asked of the points: L of them on S^{d−1}, pairwise at least δ apart.
struct SphereProblem {
  std::size_t length = 0;
  std::size_t dim = 0;
  double separation = 0;
};

/// How a Markov-chain sampler was found to mix, in its pilot runs; the worst over the statistics watched.
struct SamplerReport {
  double acceptance = 1;             ///< of Metropolis moves
  double effective_sample_size = 0;  ///< of the pilot
  double r_hat = 1;                  ///< of the pilot
  std::size_t sweeps = 0;            ///< moves per point between the start and the configuration returned
};

/// Draws configurations of points on the unit sphere. Immutable, so one object serves any number of threads; draws from
/// independent streams, and successive draws from one stream, are independent.
class SphereSampler {
 public:
  SphereSampler(std::string name, const SphereProblem& problem) : name_(std::move(name)), problem_(problem) {}
  virtual ~SphereSampler() = default;

  /// Fills `points` (L × d, L and d of the problem) with one configuration.
  virtual void fill(Stream& stream, MatrixView<double> points) const = 0;

  /// For mcmc how it mixed; the defaults otherwise.
  [[nodiscard]] virtual SamplerReport report() const { return {}; }

  /// The spec with every key written out.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const SphereProblem& problem() const { return problem_; }

 private:
  std::string name_;
  SphereProblem problem_;
};

/// What `list samplers` shows: ids, keys, defaults, laws and sources.
[[nodiscard]] std::span<const EntryInfo> sphere_sampler_list();

/// The sampler used when none is named: uniform without a separation, exact while its estimated acceptance is above
/// 10⁻³, mcmc beyond.
[[nodiscard]] std::string default_sphere_sampler(const SphereProblem& problem);

/// - `uniform`: independent uniform points; no separation.
/// - `exact`: independent uniform points given that all are δ apart, by rejection of whole configurations.
/// - `mcmc`: the same law, by hard-sphere Metropolis (Metropolis et al. 1953). Pilot chains from unlike starts set the
/// step
///   and the number of sweeps; when they have not mixed within the sweeps allowed, this throws a usage error saying so.
/// - `rsa`: random sequential adsorption: each point is redrawn until it is δ from those before it. Not the conditional
///   law: a crowded beginning is not thrown away, so points lie closer together than under `exact`.
///
/// An empty spec means the default. Usage errors as in Spec; d < 2; no points; a negative δ; a δ that no L points can
/// satisfy, which says the largest one not ruled out; `uniform` with a separation.
[[nodiscard]] std::unique_ptr<const SphereSampler> make_sphere_sampler(std::string_view spec,
                                                                       const SphereProblem& problem);

}  // namespace headroom::sim
