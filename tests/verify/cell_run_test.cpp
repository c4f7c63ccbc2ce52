#include "verify/cell_run.hpp"

#include <omp.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "catch.hpp"
#include "core/error.hpp"
#include "sim/targets.hpp"
#include "theory/distance.hpp"
#include "theory/expected_distance.hpp"
#include "verify/cell_draw.hpp"
#include "verify/cell_row.hpp"
#include "verify/measure.hpp"

using namespace headroom;
using namespace headroom::verify;

namespace {

class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

CellParameters small() {
  CellParameters p;
  p.length = 48;
  p.dim = 6;
  p.tops = {1, 5, 16};
  p.quantities = QuantitySet::all();
  return p;
}

bool same_bytes(const CellMeans& a, const CellMeans& b) {
  return a.slots().size() == b.slots().size() &&
         std::memcmp(a.slots().data(), b.slots().data(), a.slots().size_bytes()) == 0;
}

CellMeans means(const Cell& cell, std::uint64_t seed, std::initializer_list<std::uint64_t> portions) {
  CellMeans result(cell);
  for (const std::uint64_t count : portions) REQUIRE(result.run(cell, seed, count));
  return result;
}

}  // namespace

TEST_CASE("a cell's bytes depend neither on the number of threads nor on how its trials were topped up") {
  const Cell cell(small());
  const CellMeans whole = [&] {
    const Threads one(1);
    return means(cell, 7, {1100});
  }();
  CHECK(whole.trials() == 1100);
  const Threads three(3);
  CHECK(same_bytes(whole, means(cell, 7, {1100})));
  CHECK(same_bytes(whole, means(cell, 7, {1, 40, 1000, 59})));
  CHECK_FALSE(same_bytes(whole, means(cell, 8, {1100})));
}

TEST_CASE("a cell's bytes are the same on every instruction set that fuses products into sums") {
  CellParameters p = small();
  p.length = 150;
  for (const char* sampler : {"uniform", "uniform:coordinates=float64", "projected"}) {
    p.sampler = sampler;
    p.quantities =
        p.sampler == "projected" ? QuantitySet{Quantity::distance, Quantity::separable} : QuantitySet::cheap();
    const Cell cell(p);
    const CellMeans best = means(cell, 5, {40});
    int compared = 0;
    sim::test::on_every_target([&] {
      if ((hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)) == 0) return;
      CHECK(same_bytes(best, means(cell, 5, {40})));
      ++compared;
    });
    if (compared == 0) WARN("neither AVX2 nor AVX-512 here: nothing was compared");
  }
}

TEST_CASE("asking for fewer quantities or N repeats the same numbers") {
  CellParameters p = small();
  const Cell all(p);
  p.tops = {5};
  p.quantities = {Quantity::expected_upper, Quantity::separable_lower};
  const Cell few(p);
  const CellMeans of_all = means(all, 3, {50});
  const CellMeans of_few = means(few, 3, {50});
  for (const Quantity q : {Quantity::expected_upper, Quantity::separable_lower}) {
    CHECK(of_few.of(few, 0, q).mean == Approx(of_all.of(all, 1, q).mean).epsilon(1e-12));
  }
}

namespace {

// Measures each trial's head again, given as arrays, and compares whatever does not know the cell's spacing.
void check_against_measure(const Cell& cell, std::uint64_t trials) {
  const CellParameters& p = cell.parameters();
  const theory::ResolutionLaw law(p.dim);
  CellDraw draw(cell);
  const QuantitySet knows_spacing = {Quantity::xi_mean, Quantity::separable_lower, Quantity::separable_upper,
                                     Quantity::separable_lower_sharp};
  run_trials(cell, 11, {5, trials}, [&](std::uint64_t trial, std::span<const double> values) {
    draw.weights(11, trial);
    draw.vectors();
    const Embeddings embeddings(draw.head().vectors, RowPass::prepare(cell.plan(), 1, p.length, p.dim));
    const RowTable table =
        measure_rows(draw.head(), embeddings, cell.plan(), {.temperature = p.temperature, .law = &law});
    for (std::size_t request = 0; request < p.tops.size(); ++request) {
      for (std::size_t q = 0; q < quantity_count; ++q) {
        const auto quantity = static_cast<Quantity>(q);
        const std::size_t slot = cell.plan().slot(request, quantity);
        if (slot == Plan::none || knows_spacing.has(quantity)) continue;
        CAPTURE(cell.canonical(), trial, p.tops[request], quantity_names[q]);
        CHECK(values[slot] == Approx(table.value(0, slot)).epsilon(1e-9).margin(1e-12));
      }
    }
  });
}

}  // namespace

TEST_CASE("a trial's values are those that measure gives for the head drawn") {
  CellParameters p = small();
  p.temperature = 1.5;
  for (const QuantitySet quantities : {QuantitySet::all(), CellRow::supported()}) {
    p.quantities = quantities;
    for (const char* normalizer : {"softmax", "sparsemax", "sigmoid", "topk:k=3"}) {
      for (const char* logits : {"gaussian:sigma=3", "step:k=5", "zipf"}) {
        p.normalizer = normalizer;
        p.logits = logits;
        check_against_measure(Cell(p), 3);
      }
    }
  }
}

TEST_CASE("a trial measured from products alone agrees with measure in every shape") {
  CellParameters p;
  for (const std::size_t length : {2, 9, 129, 300}) {
    for (const std::size_t dim : {2, 3, 20, 65}) {
      p.length = length;
      p.dim = dim;
      p.tops = {1, length / 3 + 1, length - 1};
      check_against_measure(Cell(p), 20);
      p.sampler = "uniform:coordinates=float64";
      check_against_measure(Cell(p), 20);
      p.sampler.clear();
    }
  }
}

TEST_CASE("distances of a cell with negative weights are those of the definitions") {
  CellParameters p = small();
  p.normalizer = "sasoftmax";
  p.quantities = QuantitySet::cheap();
  for (const char* sampler : {"uniform", "rsa"}) {
    p.sampler = sampler;
    const Cell cell(p);
    CellDraw draw(cell);
    run_trials(cell, 2, {0, 5}, [&](std::uint64_t trial, std::span<const double> values) {
      draw.weights(2, trial);
      draw.vectors();
      const HeadView head = draw.head();
      const theory::RowView<double> row{head.weights.row(0), head.vectors};
      for (std::size_t request = 0; request < p.tops.size(); ++request) {
        const std::size_t top = p.tops[request];
        const auto value = [&](Quantity q) { return values[cell.plan().slot(request, q)]; };
        const theory::Selection selection = theory::select_top<double>(row.weights, top);
        CHECK(value(Quantity::distance) == Approx(theory::distance(row, selection)));
        CHECK(value(Quantity::expected) == Approx(theory::expected_distance(row, top)));
        CHECK(value(Quantity::expected_full) == Approx(theory::expected_distance_full(row, top)));
      }
    });
  }
}

TEST_CASE("projected measures the distance of negative weights alone") {
  CellParameters p = small();
  p.normalizer = "sasoftmax";
  p.quantities = QuantitySet::cheap();
  p.sampler = "projected";
  const Cell cell(p);
  CHECK(cell.parameters().quantities == QuantitySet{Quantity::distance});
  p.sampler = "uniform";
  const Cell uniform(p);
  const Moments a = means(cell, 1, {2000}).of(cell, 1, Quantity::distance);
  const Moments b = means(uniform, 2, {2000}).of(uniform, 1, Quantity::distance);
  CHECK(std::abs(a.mean - b.mean) < 4 * std::hypot(a.standard_error(), b.standard_error()));
}

TEST_CASE("the bounds of Theorem 2 take the separation of the cell, not of the draw") {
  CellParameters p = small();
  p.quantities = {Quantity::xi_mean, Quantity::max_weight};
  p.tops = {3};
  p.logits = "gaussian:sigma=0";
  const Cell cell(p);
  // Three equal weights a: ξ² = 2a² + 2a²(1 − δ²/2), at δ = 0 that is (2a)².
  const CellMeans result = means(cell, 1, {4});
  CHECK(result.of(cell, 0, Quantity::xi_mean).mean == Approx(2.0 / 48).epsilon(1e-12));
}

TEST_CASE("a run that is stopped keeps the trials that were finished, in order") {
  const Cell cell(small());
  std::atomic<int> asked{0};
  CellMeans stopped(cell);
  CHECK_FALSE(stopped.run(cell, 7, 5000, [&] { return ++asked > 3000; }));
  CHECK(stopped.trials() > 0);
  CHECK(stopped.trials() < 5000);
  CHECK(same_bytes(stopped, means(cell, 7, {stopped.trials()})));
}

TEST_CASE("an error in a trial reaches the caller") {
  CellParameters p = small();
  p.logits = "planted:k=100,m=1";
  const Cell cell(p);
  CellMeans result(cell);
  CHECK_THROWS_AS(result.run(cell, 1, 20), Error);
  const Cell good(small());
  CHECK_THROWS_AS(run_trials(good, 1, {0, 20},
                             [](std::uint64_t trial, std::span<const double>) {
                               if (trial == 3) throw std::runtime_error("full");
                             }),
                  std::runtime_error);
}
