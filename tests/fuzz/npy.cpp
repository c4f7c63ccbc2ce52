#include "model/npy.hpp"

#include <cstring>
#include <span>
#include <vector>

#include "model/npy_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// The matrices of the array, read two rows at a time.
std::vector<double> read_strips(const std::filesystem::path& path) {
  model::NpyFile file(path);
  const std::vector<std::size_t>& shape = file.shape();
  if (shape.size() != 2 && shape.size() != 3) return {};
  const std::size_t matrices = shape.size() == 3 ? shape[0] : 1;
  const std::size_t rows = shape[shape.size() - 2];
  const std::size_t cols = shape.back();
  if (matrices * rows * cols == 0) return {};
  std::vector<double> values(matrices * rows * cols);
  for (std::size_t matrix = 0; matrix < matrices; ++matrix) {
    for (std::size_t row = 0; row < rows; row += 2) {
      double* const out = values.data() + (matrix * rows + row) * cols;
      file.read_rows(matrix, row, {out, std::min<std::size_t>(2, rows - row), cols});
    }
  }
  return values;
}

}  // namespace

/// An .npy file: read from memory, from a file in pieces and in strips of rows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::FileOfInput file("array.npy");
  const std::filesystem::path& path = file.hold(fuzz::text_of(data, size));
  model::NpyArray whole;
  model::NpyArray pieces;
  std::vector<double> strips;
  const bool loaded = fuzz::loads([&] { whole = model::parse_npy(std::as_bytes(std::span(data, size)), "array"); });
  fuzz::require(fuzz::loads([&] { pieces = model::read_npy(path); }) == loaded);
  fuzz::require(fuzz::loads([&] { strips = read_strips(path); }) == loaded);
  fuzz::require(pieces.shape == whole.shape && same_bits(pieces.values, whole.values));
  fuzz::require(strips.empty() || same_bits(strips, whole.values));
  return 0;
}
