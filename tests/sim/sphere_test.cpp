#include "sim/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "statistics.hpp"

using headroom::MatrixView;
using headroom::sim::default_sphere_sampler;
using headroom::sim::make_sphere_sampler;
using headroom::sim::SamplerReport;
using headroom::sim::sphere_sampler_list;
using headroom::sim::SphereProblem;
using headroom::sim::Stream;
using headroom::sim::test::ks_p;

namespace {

constexpr double level = 1e-4;  // of every statistical test here; the seeds are fixed

double squared_distance(const std::vector<double>& points, std::size_t i, std::size_t j, std::size_t dim) {
  double sum = 0;
  for (std::size_t k = 0; k < dim; ++k) sum += std::pow(points[i * dim + k] - points[j * dim + k], 2);
  return sum;
}

/// One value per configuration, so that they are independent: the distance of point 0 to its nearest neighbour.
std::vector<double> nearest_distances(const std::string& sampler, const SphereProblem& problem, std::size_t draws) {
  const auto made = make_sphere_sampler(sampler, problem);
  std::vector<double> points(problem.length * problem.dim);
  std::vector<double> distances;
  for (std::uint64_t block = 0; block < draws; ++block) {
    Stream stream(8, 9, block);
    made->fill(stream, MatrixView<double>(points.data(), problem.length, problem.dim));
    double least = 4;
    for (std::size_t j = 1; j < problem.length; ++j)
      least = std::min(least, squared_distance(points, 0, j, problem.dim));
    distances.push_back(std::sqrt(least));
  }
  return distances;
}

/// The law of that distance on the circle: the L gaps beyond the separation share what is left of 2π uniformly, and two
/// of them exceed g with probability (1 − 2(g−θ)/(2π−Lθ))^{L−1}.
double circle_cdf(double distance, const SphereProblem& problem) {
  const auto n = static_cast<double>(problem.length);
  const double theta = 2 * std::asin(problem.separation / 2);
  const double excess = 2 * std::asin(std::min(1.0, distance / 2)) - theta;
  const double rest = 1 - 2 * excess / (2 * std::numbers::pi - n * theta);
  return rest <= 0 ? 1 : 1 - std::pow(std::min(1.0, rest), n - 1);
}

std::string failure(const std::string& sampler, const SphereProblem& problem) {
  try {
    static_cast<void>(make_sphere_sampler(sampler, problem));
  } catch (const headroom::Error& error) {
    CHECK(error.fault() == headroom::Fault::usage);
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every sampler keeps its points on the sphere and apart") {
  const SphereProblem problem = {.length = 6, .dim = 3, .separation = 0.6};
  for (const char* sampler : {"exact", "mcmc", "rsa"}) {
    const auto made = make_sphere_sampler(sampler, problem);
    for (std::uint64_t block = 0; block < 50; ++block) {
      std::vector<double> points(18);
      Stream stream(1, 1, block);
      made->fill(stream, MatrixView<double>(points.data(), 6, 3));
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(std::hypot(points[3 * i], points[3 * i + 1], points[3 * i + 2]) == Approx(1).epsilon(1e-14));
        for (std::size_t j = 0; j < i; ++j) CHECK(squared_distance(points, i, j, 3) >= 0.36 * (1 - 1e-14));
      }
    }
  }
}

TEST_CASE("on the circle exact and mcmc have the conditional law, and sequential adsorption has not") {
  const SphereProblem problem = {.length = 8, .dim = 2, .separation = 0.39};
  const auto law = [&](double x) { return circle_cdf(x, problem); };
  CHECK(ks_p(nearest_distances("exact", problem, 2000), law) > level);
  CHECK(ks_p(nearest_distances("mcmc", problem, 2000), law) > level);
  CHECK(ks_p(nearest_distances("rsa", problem, 8000), law) < level);
}

TEST_CASE("mcmc has the conditional law where rejection is out of reach") {
  // Three quarters of the circle are taken: the acceptance of exact is 0.25^9.
  const SphereProblem problem = {.length = 10, .dim = 2, .separation = 2 * std::sin(0.75 * std::numbers::pi / 10)};
  CHECK(default_sphere_sampler(problem) == "mcmc");
  CHECK(ks_p(nearest_distances("mcmc", problem, 1000), [&](double x) { return circle_cdf(x, problem); }) > level);
}

TEST_CASE("exact and mcmc agree in law, and sequential adsorption does not", "[slow]") {
  const SphereProblem problems[] = {{.length = 8, .dim = 2, .separation = 0.35},
                                    {.length = 12, .dim = 3, .separation = 0.5},
                                    {.length = 24, .dim = 8, .separation = 0.75}};
  for (const SphereProblem& problem : problems) {
    CAPTURE(problem.dim);
    const std::vector<double> exact = nearest_distances("exact", problem, 4000);
    CHECK(ks_p(exact, nearest_distances("mcmc", problem, 4000)) > level);
  }
  CHECK(ks_p(nearest_distances("exact", problems[0], 4000), nearest_distances("rsa", problems[0], 4000)) < level);
}

TEST_CASE("the chains report how they mixed") {
  const SamplerReport report = make_sphere_sampler("mcmc", {.length = 10, .dim = 3, .separation = 0.5})->report();
  CHECK(report.acceptance > 0.1);
  CHECK(report.acceptance < 1);
  CHECK(report.r_hat < 1.01);
  CHECK(report.effective_sample_size >= 400);
  CHECK(report.sweeps >= 10);
}

TEST_CASE("chains that cannot mix are refused with their numbers") {
  // Twelve points a little short of the icosahedron's 1.05 are nearly locked in place.
  const std::string message = failure("mcmc:sweeps=400", {.length = 12, .dim = 3, .separation = 1});
  CHECK(contains(message, "have not mixed after 400 sweeps"));
  CHECK(contains(message, "R-hat"));
  CHECK(contains(message, "acceptance"));
}

TEST_CASE("exact is the default while its acceptance stays above a thousandth") {
  CHECK(default_sphere_sampler({.length = 100, .dim = 8, .separation = 0}) == "uniform");
  CHECK(default_sphere_sampler({.length = 8, .dim = 2, .separation = 0.1}) == "exact");
  CHECK(default_sphere_sampler({.length = 64, .dim = 2, .separation = 0.05}) == "mcmc");
  CHECK(default_sphere_sampler({.length = 256, .dim = 768, .separation = 1.2}) == "exact");
  CHECK(make_sphere_sampler("", {.length = 8, .dim = 2, .separation = 0.1})->name() == "exact");
}

TEST_CASE("equal streams give equal bytes") {
  for (const char* sampler : {"exact", "mcmc", "rsa"}) {
    const SphereProblem problem = {.length = 5, .dim = 4, .separation = 0.7};
    CHECK(nearest_distances(sampler, problem, 5) == nearest_distances(sampler, problem, 5));
  }
}

TEST_CASE("a separation that no points can keep is an error that says the largest not ruled out") {
  CHECK(contains(failure("", {.length = 7, .dim = 2, .separation = 0.9}), "not ruled out is 0.867767"));
  CHECK(contains(failure("exact", {.length = 5, .dim = 4, .separation = 1.6}), "not ruled out is 1.581139"));
  CHECK(contains(failure("rsa", {.length = 100, .dim = 4, .separation = 1.5}), "largest separation not ruled out"));
}

TEST_CASE("what makes no problem is refused") {
  CHECK(contains(failure("", {.length = 0, .dim = 2, .separation = 0}), "at least 1"));
  CHECK(contains(failure("", {.length = 4, .dim = 1, .separation = 0}), "at least 2"));
  CHECK(contains(failure("", {.length = 4, .dim = 2, .separation = -1}), "at least 0"));
  CHECK(contains(failure("uniform", {.length = 4, .dim = 2, .separation = 0.1}), "exact, mcmc or rsa"));
  CHECK(contains(failure("mcmd", {.length = 4, .dim = 2, .separation = 0.1}), "'mcmc'"));
  CHECK(sphere_sampler_list().size() == 4);
}

TEST_CASE("a single point needs no room") {
  for (const char* sampler : {"exact", "mcmc", "rsa"}) {
    std::vector<double> point(3);
    Stream stream(1, 1, 1);
    make_sphere_sampler(sampler, {.length = 1, .dim = 3, .separation = 1.5})
        ->fill(stream, MatrixView<double>(point.data(), 1, 3));
    CHECK(std::hypot(point[0], point[1], point[2]) == Approx(1));
  }
}
