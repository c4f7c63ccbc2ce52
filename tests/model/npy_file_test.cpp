#include "model/npy_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "model/npy.hpp"
#include "model/npy_write.hpp"

using namespace headroom;         // NOLINT(google-build-using-namespace)
using namespace headroom::model;  // NOLINT(google-build-using-namespace)

namespace {

// Every strip of `height` rows of every matrix equals those rows of the whole array; what lies between them stays.
void check_strips(const std::filesystem::path& path, std::size_t height) {
  const NpyArray whole = read_npy(path);
  NpyFile file(path);
  REQUIRE(file.shape() == whole.shape);
  const std::size_t rank = whole.shape.size();
  const std::size_t matrices = rank == 3 ? whole.shape[0] : 1;
  const std::size_t rows = whole.shape[rank - 2];
  const std::size_t cols = whole.shape[rank - 1];
  const std::size_t stride = cols + 3;
  std::vector<double> strip(height * stride);
  for (std::size_t m = matrices; m-- > 0;) {
    for (std::size_t first = 0; first < rows; first += height) {
      const std::size_t count = std::min(height, rows - first);
      std::fill(strip.begin(), strip.end(), -1.0);
      file.read_rows(m, first, {strip.data(), count, cols, stride});
      bool same = true;
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < stride; ++c) {
          const double expected = c < cols ? whole.values[(m * rows + first + r) * cols + c] : -1.0;
          same = same && strip[r * stride + c] == expected;
        }
      }
      INFO(path << ", matrix " << m << ", row " << first);
      CHECK(same);
    }
  }
}

}  // namespace

TEST_CASE("strips of rows are the rows of the whole array: every type, byte order and memory order") {
  for (const std::string type : {"f2", "f4", "f8"}) {
    for (const std::string endian : {"little", "big"}) {
      for (const std::string order : {"c", "fortran"}) {
        for (const std::size_t height : {1U, 2U, 3U}) {
          check_strips(std::filesystem::path(HEADROOM_SOURCE "/tests/model/fixtures/npy") /
                           (type + "-" + endian + "-" + order + ".npy"),
                       height);
        }
      }
    }
  }
}

TEST_CASE("rows longer than a piece, and many short ones in one, are read alike") {
  const std::string path = "headroom_npy_file_test.npy";
  for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{3, 140001}, {50021, 7}, {5, 2, 30011}}) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = std::sqrt(static_cast<double>(i));
    std::string bytes = npy_bytes(shape, values);
    for (const std::string order : {"False", "True "}) {
      bytes.replace(bytes.find("False"), 5, order);
      std::ofstream(path, std::ios::binary) << bytes;
      check_strips(path, shape[0] == 50021 ? 49999 : 2);
      bytes.replace(bytes.find(order), 5, "False");
    }
  }
  std::filesystem::remove(path);
}

TEST_CASE("a file cut short after it was opened is an error naming it") {
  const std::string path = "headroom_npy_file_cut_test.npy";
  std::ofstream(path, std::ios::binary) << npy_bytes(std::vector<std::size_t>{4, 5}, std::vector<double>(20, 1.0));
  NpyFile file(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
  std::vector<double> out(20);
  CHECK_THROWS_WITH(file.read_rows(0, 0, {out.data(), 4, 5}), Catch::Matchers::Contains(path));
  CHECK_NOTHROW(file.read_rows(0, 0, {out.data(), 3, 5}));
  std::filesystem::remove(path);
}
