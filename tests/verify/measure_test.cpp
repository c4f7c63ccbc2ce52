#include "verify/measure.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"
#include "verify/direct_row.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

struct Arrays {
  std::vector<double> weights;
  std::vector<double> vectors;
  std::size_t rows, tokens, dim;

  [[nodiscard]] HeadView head(bool causal) const {
    return {{weights.data(), rows, tokens},
            {},
            {vectors.data(), tokens, dim},
            causal ? Visibility::causal(rows, tokens) : Visibility::all(rows, tokens)};
  }
};

QuantitySet all_but_integrals() {
  QuantitySet set = QuantitySet::all();
  set.erase(Quantity::separable_law);
  set.erase(Quantity::jacobian_norm);
  return set;
}

Arrays random_arrays(std::size_t rows, std::size_t tokens, std::size_t dim, bool causal, double sigma, unsigned seed) {
  Arrays a{std::vector<double>(rows * tokens), std::vector<double>(tokens * dim), rows, tokens, dim};
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (double& x : a.vectors) x = normal(engine);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t k = causal ? tokens - rows + r + 1 : tokens;
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += a.weights[r * tokens + i] = std::exp(sigma * normal(engine));
    for (std::size_t i = 0; i < k; ++i) a.weights[r * tokens + i] /= sum;
  }
  return a;
}

// Compares every row and quantity with the definitions; counts may not differ at all.
void check_against_definitions(const Arrays& a, const HeadView& head, const std::vector<std::size_t>& tops,
                               bool with_gram, double tolerance = 1e-10) {
  const Plan plan = Plan::uniform(tops, all_but_integrals());
  const Embeddings embeddings(head.vectors, {.gram = with_gram, .spacing = true});
  const RowTable table = measure_rows(head, embeddings, plan);
  for (std::size_t r = 0; r < a.rows; ++r) {
    std::vector<double> weights;
    std::vector<double> vectors;
    for (std::size_t i = 0; i < a.tokens; ++i) {
      if (!head.visibility.visible(r, i)) continue;
      weights.push_back(a.weights[r * a.tokens + i]);
      vectors.insert(vectors.end(), a.vectors.data() + i * a.dim, a.vectors.data() + (i + 1) * a.dim);
    }
    for (std::size_t t = 0; t < plan.requests().size(); ++t) {
      const std::size_t top = plan.requests()[t].top;
      if (top >= weights.size()) {
        CHECK(std::isnan(table.value(r, plan.slot(t, Quantity::distance))));
        continue;
      }
      const std::vector<double> expected = testing::direct_row(weights, {vectors.data(), weights.size(), a.dim}, top,
                                                               embeddings.largest_norm(), embeddings.spacing());
      for (std::size_t q = 0; q < quantity_count; ++q) {
        const std::size_t slot = plan.slot(t, static_cast<Quantity>(q));
        if (slot == Plan::none) continue;
        const double value = table.value(r, slot);
        INFO("row " << r << " N " << top << " " << quantity_names[q] << ": " << value << " for " << expected[q]);
        if (value == expected[q]) continue;
        // A lower bound clamped at zero and an upper sum of the same terms share their rounding.
        double scale = std::abs(expected[q]);
        if (q == static_cast<std::size_t>(Quantity::distance_lower_sharp)) {
          scale = expected[static_cast<std::size_t>(Quantity::distance_upper_sharp)];
        }
        CHECK(std::abs(value - expected[q]) <= tolerance * scale);
      }
    }
  }
}

}  // namespace

TEST_CASE("every quantity of a causal head equals its definition") {
  const Arrays a = random_arrays(24, 24, 8, true, 1.5, 1);
  for (bool gram : {true, false}) check_against_definitions(a, a.head(true), {1, 2, 5, 11, 22, 23}, gram);
}

TEST_CASE("every quantity of a head with fewer queries than tokens equals its definition") {
  const Arrays a = random_arrays(5, 33, 3, true, 2.0, 2);
  for (bool gram : {true, false}) check_against_definitions(a, a.head(true), {1, 4, 31, 32}, gram);
}

TEST_CASE("tokens that wait to be looked at for the farthest pair change no bound") {
  // Short causal rows, where the token farthest from all others is often not seen.
  const Arrays a = random_arrays(96, 96, 4, true, 1.0, 16);
  check_against_definitions(a, a.head(true), {1, 3, 40, 90}, true);
}

TEST_CASE("a padding mask with holes equals deleting the masked tokens") {
  Arrays a = random_arrays(6, 21, 5, false, 1.0, 3);
  std::vector<std::uint8_t> bits(a.rows * a.tokens, 1);
  std::mt19937_64 engine(4);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = engine() % 3 != 0 ? 1 : 0;
  for (std::size_t r = 0; r < a.rows; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < a.tokens; ++i) sum += a.weights[r * a.tokens + i] *= bits[r * a.tokens + i];
    for (std::size_t i = 0; i < a.tokens; ++i) a.weights[r * a.tokens + i] /= sum;
  }
  HeadView head = a.head(false);
  head.visibility = Visibility::mask(a.rows, a.tokens, bits);
  for (bool gram : {true, false}) check_against_definitions(a, head, {1, 3, 9}, gram);
}

TEST_CASE("uniform rows and identical vectors lose nothing to cancellation") {
  Arrays a = random_arrays(9, 9, 4, true, 0.0, 5);
  check_against_definitions(a, a.head(true), {1, 3, 8}, true);
  for (std::size_t i = 1; i < a.tokens; ++i)
    std::copy_n(a.vectors.begin(), a.dim, a.vectors.begin() + static_cast<std::ptrdiff_t>(i * a.dim));
  const Plan plan = Plan::uniform({1, 3}, all_but_integrals());
  const HeadView head = a.head(true);
  const Embeddings embeddings(head.vectors, {.gram = true, .spacing = true});
  const RowTable table = measure_rows(head, embeddings, plan);
  CHECK(embeddings.spacing() == 0.0);
  const double length = embeddings.largest_norm();
  for (std::size_t r = 1; r < a.rows; ++r) {
    // s = y_1 and every y_j is the same vector: all distances are zero, and nothing separates from its equals.
    CHECK(table.value(r, plan.slot(0, Quantity::distance)) < 1e-14 * length);
    CHECK(table.value(r, plan.slot(0, Quantity::distance_upper)) < 1e-14 * length);
    CHECK(table.value(r, plan.slot(0, Quantity::expected)) < 1e-14 * length);
    CHECK(table.value(r, plan.slot(0, Quantity::expected_upper)) < 1e-7 * length);
    CHECK(table.value(r, plan.slot(0, Quantity::separable)) == 0.0);
  }
}

TEST_CASE("one-hot rows separate their token and nothing else") {
  Arrays a = random_arrays(6, 6, 4, false, 0.0, 6);
  std::fill(a.weights.begin(), a.weights.end(), 0.0);
  for (std::size_t r = 0; r < a.rows; ++r) a.weights[r * a.tokens + (r * 5) % a.tokens] = 1.0;
  check_against_definitions(a, a.head(false), {1, 2, 5}, true);
  check_against_definitions(a, a.head(false), {1, 2, 5}, false);
}

TEST_CASE("exact ties between a selected and a non-selected twin do not separate") {
  // Tokens 1 and 6 carry the same vector and the same weight; only the first of them is selected at N = 2.
  Arrays a = random_arrays(1, 8, 16, false, 0.0, 7);
  std::copy_n(a.vectors.begin() + 16, 16, a.vectors.begin() + 6 * 16);
  a.weights = {0.3, 0.15, 0.1, 0.1, 0.1, 0.05, 0.15, 0.05};
  const HeadView head = a.head(false);
  for (bool gram : {true, false}) {
    const Plan plan = Plan::uniform({2}, {Quantity::separable});
    const RowTable table = measure_rows(head, Embeddings(head.vectors, {.gram = gram}), plan);
    CHECK(table.value(0, 0) <= 0.5);
  }
}

TEST_CASE("one vector a hundred times longer than the rest keeps every quantity right") {
  Arrays a = random_arrays(12, 12, 6, true, 1.0, 8);
  for (std::size_t k = 0; k < a.dim; ++k) a.vectors[3 * a.dim + k] *= 100.0;
  check_against_definitions(a, a.head(true), {1, 2, 6, 11}, true, 1e-9);
}

TEST_CASE("weights down to 1e-300 are told apart") {
  Arrays a = random_arrays(4, 10, 5, false, 0.0, 9);
  for (std::size_t r = 0; r < a.rows; ++r) {
    for (std::size_t i = 0; i < a.tokens; ++i)
      a.weights[r * a.tokens + i] = std::pow(10.0, -static_cast<double>(33 * i + r));
    a.weights[r * a.tokens] = 1.0;
  }
  check_against_definitions(a, a.head(false), {1, 2, 5, 9}, true);
  // Orthogonal vectors: u_i = −α_i² for a selected token and +α_j² for the rest, both below the smallest double.
  Arrays orthogonal = a;
  orthogonal.dim = orthogonal.tokens;
  orthogonal.vectors.assign(orthogonal.tokens * orthogonal.tokens, 0.0);
  for (std::size_t i = 0; i < orthogonal.tokens; ++i) orthogonal.vectors[i * orthogonal.tokens + i] = 1.0;
  const HeadView head = orthogonal.head(false);
  const Plan plan = Plan::uniform({8}, {Quantity::separable});
  CHECK(measure_rows(head, Embeddings(head.vectors, {.gram = true}), plan).value(0, 0) == 1.0);
}

TEST_CASE("rows too short for N are left out and counted") {
  const Arrays a = random_arrays(6, 6, 4, true, 1.0, 10);
  const HeadView head = a.head(true);
  const Plan plan = Plan::uniform({1, 4, 6}, {Quantity::distance});
  const RowTable table = measure_rows(head, Embeddings(head.vectors, {.gram = true}), plan);
  const std::vector<TopMeans> means = mean_over_rows(table, plan, 6);
  CHECK(means[0].rows == 5);
  CHECK(means[1].rows == 2);
  CHECK(means[2].rows == 0);
  CHECK(std::isnan(means[2][Quantity::distance]));
  CHECK(mean_over_rows(table, plan, 3)[0].rows == 2);
}

TEST_CASE("a single token and two tokens are measured without division by zero") {
  const Arrays one = random_arrays(1, 1, 3, true, 1.0, 11);
  const Plan plan = Plan::uniform({1}, all_but_integrals());
  const HeadView head = one.head(true);
  CHECK(mean_over_rows(measure_rows(head, Embeddings(head.vectors, {.gram = true, .spacing = true}), plan), plan, 1)[0]
            .rows == 0);
  const Arrays two = random_arrays(2, 2, 3, true, 1.0, 12);
  check_against_definitions(two, two.head(true), {1}, true);
}

TEST_CASE("the literal context keeps masked tokens among the non-selected") {
  const Arrays a = random_arrays(7, 7, 4, true, 1.0, 13);
  const HeadView causal = a.head(true);
  const HeadView full = a.head(false);
  const Plan plan = Plan::uniform({2, 6}, all_but_integrals());
  const Embeddings embeddings(causal.vectors, {.gram = true, .spacing = true});
  const RowTable literal = measure_rows(causal, embeddings, plan, {.context = Context::all});
  const RowTable unmasked = measure_rows(full, embeddings, plan);
  CHECK(literal.values == unmasked.values);
  CHECK(literal.context_length == std::vector<std::size_t>(7, 7));
}

TEST_CASE("scaling a row of an unnormalized head scales its lengths") {
  const Arrays a = random_arrays(3, 9, 4, false, 1.0, 14);
  Arrays tiny = a;
  for (double& w : tiny.weights) w = std::ldexp(w, -900);
  const Plan plan = Plan::uniform({3}, {Quantity::distance, Quantity::expected_upper, Quantity::separable});
  const HeadView head = a.head(false);
  const Embeddings embeddings(head.vectors, {.gram = true});
  const RowTable before = measure_rows(head, embeddings, plan);
  const RowTable after = measure_rows(tiny.head(false), embeddings, plan);
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK(after.value(r, 0) == std::ldexp(before.value(r, 0), -900));
    CHECK(after.value(r, 1) == std::ldexp(before.value(r, 1), -900));
    CHECK(after.value(r, 2) == before.value(r, 2));
  }
}

TEST_CASE("weights that are no head's are refused with head, row and token named") {
  Arrays a = random_arrays(3, 3, 2, true, 1.0, 15);
  check_weights(a.head(true), 0, false);
  const auto refuse = [&](std::size_t at, double value, const std::string& text) {
    Arrays bad = a;
    bad.weights[at] = value;
    CHECK_THROWS_WITH(check_weights(bad.head(true), 2, false), contains(text) && contains("head 2"));
  };
  refuse(4, std::nan(""), "row 1, token 1");
  refuse(3, -0.5, "negative");
  refuse(5, 0.25, "masked");
  refuse(8, a.weights[8] + 0.01, "sum to");
  for (double& w : a.weights) w *= 2;
  CHECK_NOTHROW(check_weights(a.head(true), 0, true));
}

TEST_CASE("a vector without length cannot be normalized") {
  const std::vector<double> vectors = {1, 0, 0, 0};
  CHECK_THROWS_WITH(Embeddings({vectors.data(), 2, 2}, {.normalize = true}), contains("token 1"));
}

TEST_CASE("single precision moves every mean by less than 1e-5 and every exact tie not at all") {
  const std::size_t tokens = 200;
  Arrays a = random_arrays(tokens, tokens, 12, true, 2.0, 21);
  // Tokens 40 to 80 are copies of each other with equal weights: their ties must stay ties.
  for (std::size_t i = 41; i <= 80; ++i) {
    for (std::size_t k = 0; k < a.dim; ++k) a.vectors[i * a.dim + k] = a.vectors[40 * a.dim + k];
  }
  for (std::size_t r = 80; r < tokens; ++r) {
    double* row = a.weights.data() + r * tokens;
    double sum = 0;
    for (std::size_t i = 41; i <= 80; ++i) row[i] = row[40];
    for (std::size_t i = 0; i <= r; ++i) sum += row[i];
    for (std::size_t i = 0; i <= r; ++i) row[i] /= sum;
  }
  const HeadView head = a.head(true);
  std::vector<std::size_t> tops;
  for (std::size_t top = 1; top <= 60; ++top) tops.push_back(top);
  tops.push_back(128);
  std::vector<Plan::Request> requests;
  for (std::size_t top : tops) {
    requests.push_back({top, {Quantity::distance, Quantity::expected, Quantity::expected_full}});
  }
  for (std::size_t top : {1, 5, 20, 128}) requests.push_back({static_cast<std::size_t>(top), all_but_integrals()});
  const Plan plan(std::move(requests));
  const Embeddings full(head.vectors, {.gram = true, .spacing = true});
  const Embeddings single(head.vectors, {.gram = true, .spacing = true, .precision = Precision::single});
  const auto exact = mean_over_rows(measure_rows(head, full, plan), plan, tokens);
  const auto rounded = mean_over_rows(measure_rows(head, single, plan), plan, tokens);
  for (std::size_t t = 0; t < exact.size(); ++t) {
    for (std::size_t q = 0; q < quantity_count; ++q) {
      if (std::isnan(exact[t].mean[q])) continue;
      INFO("N " << exact[t].top << " " << quantity_names[q]);
      if (q == static_cast<std::size_t>(Quantity::separable)) CHECK(rounded[t].mean[q] == exact[t].mean[q]);
      CHECK(rounded[t].mean[q] == Approx(exact[t].mean[q]).epsilon(1e-5).margin(1e-12));
    }
  }
}

TEST_CASE("what a strip source throws ends the measurement, whatever the threads, and the next one is whole") {
  const Arrays arrays = random_arrays(700, 700, 3, true, 1.0, 5);
  const HeadView head = arrays.head(true);
  const Embeddings embeddings(head.vectors, {.gram = true});
  const Plan plan = Plan::uniform({2}, {Quantity::distance});
  std::size_t missing = 0;
  const StripSource source = [&](std::size_t first, std::size_t count, StripMemory&) {
    if (first + count > missing) throw_input("no row " + std::to_string(first), "the source", "");
    return HeadView{
        {head.weights.row_data(first), count, head.weights.cols}, {}, {}, head.visibility.slice(first, count)};
  };
  MeasureMemory memory;
  const auto measured = [&]() -> const RowTable& {
    return measure_head(head.visibility, source, embeddings, plan, {}, nullptr, memory).rows;
  };
  for (const std::size_t rows : {std::size_t{0}, std::size_t{300}}) {
    missing = rows;
    // The last rows are asked for first.
    CHECK_THROWS_WITH(measured(), contains("no row 640"));
  }
  missing = 700;
  CHECK(measured().values.back() == measure_rows(head, embeddings, plan).values.back());
}

TEST_CASE("a row's values do not depend on the strips that many rows are cut into") {
  const Arrays arrays = random_arrays(700, 700, 3, true, 1.0, 5);
  const HeadView head = arrays.head(true);
  const Embeddings embeddings(head.vectors, {.gram = true});
  const Plan plan = Plan::uniform({2, 5}, {Quantity::distance, Quantity::expected, Quantity::separable});
  const RowTable all = measure_rows(head, embeddings, plan);
  const std::size_t few = 100;  // cut block by block
  for (std::size_t first = 0; first < 700; first += few) {
    const HeadView part{
        {head.weights.row_data(first), few, head.weights.cols}, {}, {}, head.visibility.slice(first, few)};
    const RowTable rows = measure_rows(part, embeddings, plan);
    for (std::size_t k = 0; k < rows.values.size(); ++k) {
      const double expected = rows.values[k];
      const double value = all.values[first * all.slots + k];
      CHECK((value == expected || (std::isnan(value) && std::isnan(expected))));
    }
  }
}

TEST_CASE("means take the rows with enough tokens, in whatever order those are and whatever each N asks for") {
  const Plan plan({{1, {Quantity::mass}}, {3, {Quantity::mass, Quantity::radius}}, {70, {Quantity::entropy}}});
  RowTable table;
  table.slots = plan.slots();
  table.context_length = {80, 2, 1, 4, 71, 3};
  for (std::size_t k = 0; k < table.rows() * table.slots; ++k) table.values.push_back(0.1 * static_cast<double>(k));
  for (const std::size_t rows : {std::size_t{0}, std::size_t{3}, std::size_t{6}}) {
    const std::vector<TopMeans> means = mean_over_rows(table, plan, rows);
    for (std::size_t request = 0; request < 3; ++request) {
      for (std::size_t q = 0; q < quantity_count; ++q) {
        const std::size_t slot = plan.slot(request, static_cast<Quantity>(q));
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t r = 0; r < rows; ++r) {
          if (table.context_length[r] <= plan.requests()[request].top) continue;
          ++count;
          if (slot != Plan::none) sum += table.value(r, slot);
        }
        CHECK(means[request].rows == count);
        const double mean = means[request].mean[q];
        CHECK((slot == Plan::none || count == 0 ? std::isnan(mean) : mean == sum / static_cast<double>(count)));
      }
    }
  }
}
