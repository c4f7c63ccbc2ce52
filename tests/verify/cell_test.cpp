#include "verify/cell.hpp"

#include <limits>

#include "catch.hpp"
#include "core/error.hpp"

using headroom::Error;
using headroom::Fault;
using headroom::verify::Cell;
using headroom::verify::CellParameters;
using headroom::verify::quantities_of;
using headroom::verify::Quantity;
using headroom::verify::QuantitySet;

namespace {

CellParameters small() {
  CellParameters p;
  p.length = 32;
  p.dim = 8;
  p.tops = {4};
  return p;
}

std::string complaint(const CellParameters& p) {
  try {
    const Cell cell(p);
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a cell's identity forgets what is measured and how a choice is spelt, and nothing else") {
  CellParameters p = small();
  const Cell cell(p);
  p.tops = {1, 4};
  p.quantities = QuantitySet::all();
  p.logits = "gaussian:sigma=1";
  CHECK(Cell(p).canonical() == cell.canonical());
  CHECK(Cell(p).hash() == cell.hash());

  std::vector<CellParameters> others(7, small());
  others[0].length = 33;
  others[1].dim = 9;
  others[2].temperature = 1.5;
  others[3].normalizer = "sparsemax";
  others[4].logits = "gaussian:sigma=2";
  others[5].separation = 0.1;
  others[6].logits = "zipf";
  for (const CellParameters& other : others) CHECK(Cell(other).hash() != cell.hash());
}

TEST_CASE("N are sorted and counted once") {
  CellParameters p = small();
  p.tops = {8, 1, 8};
  CHECK(Cell(p).parameters().tops == std::vector<std::size_t>{1, 8});
}

TEST_CASE("a cell that cannot be is refused with what is allowed") {
  CHECK(complaint(small()).empty());
  std::vector<CellParameters> bad(9, small());
  bad[0].length = 0;
  bad[1].length = 1;
  bad[2].dim = 1;
  bad[3].tops = {};
  bad[4].tops = {0};
  bad[5].tops = {32};
  bad[6].temperature = 0;
  bad[7].temperature = std::numeric_limits<double>::infinity();
  bad[8].separation = -0.1;
  const char* const named[] = {"at least 2", "at least 2", "at least 2", "at least one", "L - 1 = 31",
                               "L - 1 = 31", "T > 0",      "T > 0",      "delta"};
  for (std::size_t i = 0; i < bad.size(); ++i) CHECK_THAT(complaint(bad[i]), contains(named[i]));
}

TEST_CASE("misspelt choices are answered with the nearest right name") {
  CellParameters p = small();
  p.normalizer = "softmx";
  CHECK_THAT(complaint(p), contains("softmax"));
  p = small();
  p.logits = "gausian";
  CHECK_THAT(complaint(p), contains("gaussian"));
  CHECK_THROWS_WITH(quantities_of("separable,distanse"), contains("did you mean distance?"));
  CHECK_THROWS_WITH(quantities_of(""), contains("did you mean"));
}

TEST_CASE("a list of quantities names exactly those") {
  CHECK(quantities_of("radius,separable") == QuantitySet{Quantity::separable, Quantity::radius});
  CHECK(quantities_of("all") == QuantitySet::all());
}

TEST_CASE("negative weights leave only distances") {
  CellParameters p = small();
  p.normalizer = "sasoftmax";
  CHECK(Cell(p).parameters().quantities ==
        QuantitySet{Quantity::distance, Quantity::expected, Quantity::expected_full});
  p.quantities = {Quantity::separable};
  CHECK_THAT(complaint(p), contains("negative"));
}
