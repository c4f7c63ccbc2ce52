// Every closed form against the reference arrays, whose values came from an independent program.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "theory/distance.hpp"
#include "theory/expected_distance.hpp"
#include "theory/jacobian_norm.hpp"
#include "theory/resolution_law.hpp"
#include "theory/separability.hpp"
#include "theory/separability_bounds.hpp"
#include "theory/vanishing.hpp"

using namespace headroom::theory;

namespace {

const std::filesystem::path folder = std::filesystem::path(HEADROOM_SHARED) / "reference";

std::vector<double> load(const std::string& name) {
  constexpr std::streamoff header = 128;
  std::ifstream file(folder / name, std::ios::binary | std::ios::ate);
  std::vector<double> values(static_cast<std::size_t>(file.tellg() - header) / sizeof(double));
  file.seekg(header);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

std::map<std::string, double> measure(const RowView<double>& row, std::size_t top, double largest_norm,
                                      double separation, const ResolutionLaw& law) {
  const Selection selection = select_top<double>(row.weights, top);
  std::vector<double> selected;
  for (const std::size_t i : selection.selected) selected.push_back(row.weights[i]);
  std::vector<double> sorted(row.weights.begin(), row.weights.end());
  std::sort(sorted.rbegin(), sorted.rend());
  const auto reach = context_reach<double>(selected, largest_norm, separation);
  const double radius = separation_radius(row, selection);
  const auto sharp = distance_bounds_sharp(row, selection);
  double reach_sum = 0.0;
  for (const double xi : reach) reach_sum += xi;
  return {{"mass", mass<double>(row.weights, selection.selected)},
          {"distance", distance(row, selection)},
          {"distance_upper", distance_upper_printed(row, selection)},
          {"distance_upper_sharp", sharp.upper},
          {"distance_lower_sharp", sharp.lower},
          {"expected", expected_distance(row, top)},
          {"expected_full", expected_distance_full(row, top)},
          {"expected_upper", expected_distance_upper(row, top)},
          {"radius", radius},
          {"separable", separable_fraction(row, selection)},
          {"xi_mean", reach_sum / static_cast<double>(top)},
          {"separable_lower", separable_lower_printed<double>(reach, radius)},
          {"separable_upper", separable_upper_printed<double>(reach, radius, largest_norm)},
          {"separable_lower_sharp", separable_lower_sharp<double>(reach, radius)},
          {"entropy", entropy(row.weights)},
          {"max_weight", sorted.front()},
          {"jacobian_norm", jacobian_norm(row.weights)},
          {"separable_law", law.separable(sorted, top)}};
}

void compare(const std::string& name, std::size_t heads, std::size_t length, std::size_t dim) {
  const std::vector<double> weights = load(name + ".weights.npy");
  const std::vector<double> vectors = load(name + ".vectors.npy");
  nlohmann::json expected;
  std::ifstream(folder / (name + ".expected.json")) >> expected;
  REQUIRE(weights.size() == heads * length * length);
  REQUIRE(vectors.size() % (length * dim) == 0);
  const ResolutionLaw law(dim);
  for (std::size_t head = 0; head < heads; ++head) {
    // The heads may share their vectors.
    const headroom::MatrixView<const double> all(vectors.data() + head * length * dim % vectors.size(), length, dim);
    double largest_norm = 0.0;
    double separation = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < length; ++i) {
      largest_norm = std::max(largest_norm, norm<double>(all.row(i)));
      for (std::size_t j = 0; j < i; ++j) {
        separation = std::min(separation, norm_of_difference<double>(1.0, all.row(i), 1.0, all.row(j)));
      }
    }
    for (const auto& [key, values] : expected["heads"][head].items()) {
      const std::size_t top = std::stoul(key);
      std::map<std::string, double> sums;
      int rows = 0;
      for (std::size_t query = 0; query < length; ++query) {
        const std::size_t seen = expected["causal"].get<bool>() ? query + 1 : length;
        if (seen <= top) continue;
        const RowView<double> row{{weights.data() + (head * length + query) * length, seen}, {all.data, seen, dim}};
        for (const auto& [quantity, value] : measure(row, top, largest_norm, separation, law)) sums[quantity] += value;
        ++rows;
      }
      CHECK(values["rows"].get<int>() == rows);
      for (const auto& [quantity, sum] : sums) {
        INFO(name << " head " << head << " top " << top << " " << quantity);
        const double mean = sum / rows;
        const double right = values[quantity].get<double>();
        if (quantity == "separable_law") {
          CHECK(std::abs(mean - right) < 1e-4);
        } else {
          CHECK(mean == Approx(right).epsilon(quantity == "xi_mean" ? 1e-7 : 1e-9).margin(1e-15));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every closed form reproduces the reference values of the arrays shipped with the design") {
  if (!std::filesystem::exists(folder)) {
    WARN("no reference arrays at " << folder.string());
    return;
  }
  compare("causal-unit", 4, 64, 32);
  compare("full-raw", 2, 48, 16);
}
