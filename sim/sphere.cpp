#include "sim/sphere.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "sim/hard_sphere_chain.hpp"
#include "sim/hard_spheres.hpp"
#include "sim/separation.hpp"

namespace headroom::sim {
namespace {

constexpr double least_acceptance = 1e-3;
constexpr std::size_t most_attempts = 10'000'000;  // of whole configurations, in `exact`
constexpr std::size_t most_tries = 100'000;        // of one point, in `rsa`
constexpr std::size_t most_restarts = 100;

std::string described(const SphereProblem& problem) {
  return std::to_string(problem.length) + " points in dimension " + std::to_string(problem.dim) + ", separation " +
         std::to_string(problem.separation);
}

class Uniform final : public SphereSampler {
 public:
  using SphereSampler::SphereSampler;
  void fill(Stream& stream, MatrixView<double> points) const override { fill_sphere(stream, points); }
};

class Exact final : public SphereSampler {
 public:
  using SphereSampler::SphereSampler;

  /// Points are drawn one by one and the whole attempt is dropped at the first that is too close: what remains is an
  /// independent configuration that met the condition.
  void fill(Stream& stream, MatrixView<double> points) const override {
    for (std::size_t attempt = 0; attempt < most_attempts; ++attempt) {
      if (adsorb(stream, points, problem().separation, 1, false)) return;
    }
    throw_usage("no configuration was accepted in " + std::to_string(most_attempts) + " attempts", described(problem()),
                "use --sampler mcmc");
  }
};

class Sequential final : public SphereSampler {
 public:
  using SphereSampler::SphereSampler;

  void fill(Stream& stream, MatrixView<double> points) const override {
    for (std::size_t restart = 0; restart < most_restarts; ++restart) {
      if (adsorb(stream, points, problem().separation, most_tries, false)) return;
    }
    throw_usage("sequential adsorption found no room for the last points", described(problem()), "use --sampler mcmc");
  }
};

void check(const SphereProblem& problem) {
  if (problem.length == 0) throw_usage("no points", "--length", "it must be at least 1");
  if (problem.dim < 2) throw_usage("dimension " + std::to_string(problem.dim), "--dim", "it must be at least 2");
  if (!(problem.separation >= 0) || !std::isfinite(problem.separation)) {
    throw_usage("separation " + std::to_string(problem.separation), "--separation",
                "it must be a number of at least 0");
  }
  const double largest = largest_separation(problem.length, problem.dim);
  if (problem.separation > largest) {
    throw_usage("no points lie that far apart", described(problem),
                "the largest separation not ruled out is " + std::to_string(largest));
  }
}

}  // namespace

std::span<const EntryInfo> sphere_sampler_list() {
  static const std::vector<EntryInfo> list = {
      {"uniform", {}, "independent uniform points; no separation", "Muller 1959"},
      {"exact", {}, "independent uniform points given their separation, by rejection", "this project"},
      {"mcmc",
       {{"sweeps", "6400", "most sweeps of a pilot chain before giving up, at least 200"}},
       "the law of exact, by hard-sphere Metropolis",
       "Metropolis et al. 1953"},
      {"rsa", {}, "each point redrawn until it is clear of the earlier ones; not the law of exact", "Renyi 1958"},
  };
  return list;
}

std::string default_sphere_sampler(const SphereProblem& problem) {
  if (problem.separation == 0) return "uniform";
  const double acceptance = estimated_acceptance(problem.length, problem.dim, problem.separation);
  return acceptance > least_acceptance ? "exact" : "mcmc";
}

std::unique_ptr<const SphereSampler> make_sphere_sampler(std::string_view text, const SphereProblem& problem) {
  check(problem);
  const Spec spec(text.empty() ? default_sphere_sampler(problem) : std::string(text), "sampler", sphere_sampler_list());
  const std::string& id = spec.id();
  const std::string name = spec.canonical();
  if (id == "exact") return std::make_unique<Exact>(name, problem);
  if (id == "rsa") return std::make_unique<Sequential>(name, problem);
  if (id == "mcmc") return make_hard_sphere_chain(name, problem, spec.count("sweeps", 200));
  if (problem.separation > 0) {
    throw_usage("it keeps no separation", "sampler uniform", "use exact, mcmc or rsa, or --separation 0");
  }
  return std::make_unique<Uniform>(name, problem);
}

}  // namespace headroom::sim
