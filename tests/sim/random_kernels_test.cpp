#include "sim/random_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sim/random_scalar.hpp"
#include "targets.hpp"

namespace kernels = headroom::sim::kernels;
using headroom::sim::test::on_every_target;

namespace {

// The counter passes 2³² within these chunks, and every word of the key is used.
constexpr kernels::PhiloxKey key = {
    .key0 = 0xdeadbeef, .key1 = 0x1234567, .kind = 5, .block_low = 0xffffffff, .block_high = 42};
constexpr std::uint64_t first_chunk = (std::uint64_t{1} << 29) - 5;

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T, class Fill>
std::vector<T> filled(Fill fill, std::size_t chunks, std::size_t chunk_size) {
  std::vector<T> out(chunks * chunk_size + 1);
  fill(key, first_chunk, chunks, out.data() + 1);  // misaligned for every vector
  return out;
}

template <class T>
void (*kernel(void (*function)(const kernels::PhiloxKey&, std::uint64_t, std::size_t,
                               T*)))(const kernels::PhiloxKey&, std::uint64_t, std::size_t, T*) {
  return function;
}

}  // namespace

TEST_CASE("every instruction set gives the bytes of the scalar twin") {
  const std::size_t chunks = 1000;
  const auto words = filled<std::uint64_t>(kernels::scalar::fill_words, chunks, kernels::chunk_words);
  const auto uniforms = filled<double>(kernels::scalar::fill_uniforms, chunks, kernels::chunk_words);
  const auto normals = filled<double>(kernel<double>(kernels::scalar::fill_normals), chunks, kernels::chunk_words);
  const auto floats = filled<float>(kernel<float>(kernels::scalar::fill_normals), chunks, kernels::chunk_floats);
  std::vector<std::string> names;
  on_every_target([&] {
    names.emplace_back(kernels::target_name());
    CAPTURE(names.back());
    CHECK(same_bytes(filled<std::uint64_t>(kernels::fill_words, chunks, kernels::chunk_words), words));
    CHECK(same_bytes(filled<double>(kernels::fill_uniforms, chunks, kernels::chunk_words), uniforms));
    CHECK(same_bytes(filled<double>(kernel<double>(kernels::fill_normals), chunks, kernels::chunk_words), normals));
    CHECK(same_bytes(filled<float>(kernel<float>(kernels::fill_normals), chunks, kernels::chunk_floats), floats));
  });
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("rows of every length are normalised to the same bytes on every instruction set") {
  for (const std::size_t cols : {1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 64u, 100u}) {
    const std::size_t rows = 3;
    const std::size_t stride = cols + 1;
    std::vector<double> start(rows * stride + 16);
    std::vector<float> start32(rows * stride + 32);
    kernels::scalar::fill_normals(key, 0, start.size() / 16, start.data());
    kernels::scalar::fill_normals(key, 0, start32.size() / 32, start32.data());
    std::vector<double> twin = start;
    std::vector<float> twin32 = start32;
    kernels::scalar::normalize_rows(twin.data(), rows, cols, stride);
    kernels::scalar::normalize_rows(twin32.data(), rows, cols, stride);
    on_every_target([&] {
      CAPTURE(cols, kernels::target_name());
      std::vector<double> data = start;
      std::vector<float> data32 = start32;
      kernels::normalize_rows(data.data(), rows, cols, stride);
      kernels::normalize_rows(data32.data(), rows, cols, stride);
      CHECK(same_bytes(data, twin));
      CHECK(same_bytes(data32, twin32));
    });
  }
}

TEST_CASE("a normal is the Box-Muller transform of its words within the stated error") {
  const std::size_t chunks = 4000;
  std::vector<std::uint64_t> words(chunks * kernels::chunk_words);
  std::vector<double> normals(words.size());
  kernels::fill_words(key, first_chunk, chunks, words.data());
  kernels::fill_normals(key, first_chunk, chunks, normals.data());
  double worst = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k % 16 >= 8) continue;
    const long double u = (static_cast<long double>(words[k] >> 12) + 0.5L) * 0x1p-52L;
    const std::uint64_t angle = words[k + 8];
    const long double turn = (static_cast<long double>(angle & 0xfffffffffffffu) + 0.5L) * 0x1p-52L - 0.5L;
    const long double r = std::sqrt(-2 * std::log(u)) * ((angle >> 63) != 0 ? -1 : 1);
    const long double y = turn * std::numbers::pi_v<long double> / 2;
    std::array<long double, 2> exact = {r * std::cos(y), r * std::sin(y)};
    if (((angle >> 62) & 1) != 0) std::swap(exact[0], exact[1]);
    for (std::size_t half = 0; half < 2; ++half) {
      const auto reference = static_cast<double>(std::abs(exact[half]));
      const double ulp = std::nextafter(reference, 1e300) - reference;
      worst = std::max(worst, std::abs(static_cast<double>(normals[k + 8 * half] - exact[half])) / ulp);
    }
  }
  CHECK(worst <= kernels::normal_ulp);
  CHECK(worst > kernels::normal_ulp / 4);  // the constant is not idle
}
