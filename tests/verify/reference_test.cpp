#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "model/npy.hpp"
#include "verify/measure.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

double tolerance(const std::string& key) { return key == "xi_mean" ? 1e-7 : 1e-9; }

// Measures the arrays NAME.weights.npy and NAME.vectors.npy and compares all means with NAME.expected.json.
void compare_with_reference(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(HEADROOM_SHARED) / "reference";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no reference arrays in " << folder);
    return;
  }
  const nlohmann::json expected = nlohmann::json::parse(std::ifstream(folder / (name + ".expected.json")));
  const model::NpyArray weights = model::read_npy(folder / (name + ".weights.npy"));
  const model::NpyArray vectors = model::read_npy(folder / (name + ".vectors.npy"));
  const std::size_t heads = weights.shape[0];
  const std::size_t rows = weights.shape[1];
  const std::size_t tokens = weights.shape[2];
  const std::size_t dim = vectors.shape.back();
  const bool own_vectors = vectors.shape.size() == 3;
  const Visibility visibility =
      expected.at("causal").get<bool>() ? Visibility::causal(rows, tokens) : Visibility::all(rows, tokens);
  const Plan plan = Plan::uniform(expected.at("top").get<std::vector<std::size_t>>(), QuantitySet::all());
  const theory::ResolutionLaw law(dim);
  for (bool gram : {true, false}) {
    for (std::size_t h = 0; h < heads; ++h) {
      const MatrixView<const double> x(vectors.values.data() + (own_vectors ? h * tokens * dim : 0), tokens, dim);
      const Embeddings embeddings(x, {.gram = gram, .spacing = true});
      const HeadView head{{weights.values.data() + h * rows * tokens, rows, tokens}, {}, x, visibility};
      for (const TopMeans& means : mean_over_rows(measure_rows(head, embeddings, plan, {.law = &law}), plan, rows)) {
        const nlohmann::json& at = expected.at("heads").at(h).at(std::to_string(means.top));
        CHECK(means.rows == at.at("rows").get<std::size_t>());
        for (const auto& [key, value] : at.items()) {
          if (key == "rows") continue;
          const auto quantity = quantity_named(key);
          REQUIRE(quantity.has_value());
          const double wanted = value.get<double>();
          INFO(name << " head " << h << " N " << means.top << " " << key);
          if (key == "separable_law") {
            CHECK(means[*quantity] == Approx(wanted).margin(1e-4).epsilon(0));
          } else {
            CHECK(means[*quantity] == Approx(wanted).epsilon(tolerance(key)).margin(1e-15));
          }
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("a causal head with unit vectors has the reference values") { compare_with_reference("causal-unit"); }

TEST_CASE("a full head with raw vectors has the reference values") { compare_with_reference("full-raw"); }
