#include "model/npy_write.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <limits>

#include "catch.hpp"
#include "model/npy.hpp"

using namespace headroom::model;

namespace {

NpyArray parse(const std::string& bytes) { return parse_npy(std::as_bytes(std::span(bytes)), "written.npy"); }

std::string content(const std::string& fixture) {
  std::ifstream stream(HEADROOM_SOURCE "/tests/model/fixtures/npy/" + fixture, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("what is written is read back: any shape, float64 exactly, float32 rounded") {
  for (const std::vector<std::size_t>& shape :
       std::vector<std::vector<std::size_t>>{{}, {5}, {0, 4}, {2, 3}, {2, 1, 3, 2}}) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 1.0 / (3.0 + static_cast<double>(i));
    const NpyArray wide = parse(npy_bytes(shape, values));
    const NpyArray narrow = parse(npy_bytes(shape, values, NpyFloat::float32));
    CHECK(wide.shape == shape);
    CHECK(wide.values == values);
    CHECK(narrow.shape == shape);
    for (std::size_t i = 0; i < count; ++i)
      CHECK(narrow.values[i] == static_cast<double>(static_cast<float>(values[i])));
  }
}

TEST_CASE("infinities and NaNs survive writing") {
  const std::array<std::size_t, 1> shape = {2};
  const std::array<double, 2> values = {-std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN()};
  for (const NpyFloat type : {NpyFloat::float32, NpyFloat::float64}) {
    const NpyArray array = parse(npy_bytes(shape, values, type));
    CHECK(array.values[0] == values[0]);
    CHECK(array.values[1] != array.values[1]);
  }
}

TEST_CASE("the data starts at a multiple of 64 bytes, as NumPy aligns it for mapping") {
  for (std::size_t extent = 1; extent < 100000000000; extent *= 10) {
    const std::array<std::size_t, 2> shape = {0, extent};
    CHECK(npy_bytes(shape, {}).size() % 64 == 0);
  }
}

TEST_CASE("arrays and records are written byte for byte as NumPy writes them") {
  const std::array<std::size_t, 2> shape = {2, 3};
  const std::array<std::int32_t, 6> head = {0, 1, 2, 3, -4, 2147483647};
  const std::array<double, 6> distance = {0.0, 0.5, -1.0, 1e-300, 3.141592653589793, 7.0};
  CHECK(npy_bytes(shape, distance) == content("written-array.npy"));
  const std::vector<NpyField> fields = {{"head", head}, {"distance", distance}};
  CHECK(npy_records(shape, fields) == content("written-records.npy"));
}

TEST_CASE("records of very many fields get the longer header") {
  const std::array<std::size_t, 1> shape = {1};
  const std::array<double, 1> one = {1.0};
  std::vector<NpyField> fields;
  for (int i = 0; i < 4000; ++i) fields.push_back({"quantity_" + std::to_string(i), one});
  const std::string bytes = npy_records(shape, fields);
  CHECK(bytes.substr(0, 8) == std::string("\x93NUMPY\2\0", 8));
  const auto length = static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]) +
                      65536U * static_cast<unsigned char>(bytes[10]);
  CHECK(12 + length + 8 * fields.size() == bytes.size());
}
