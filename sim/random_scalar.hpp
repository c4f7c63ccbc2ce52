#pragma once

#include "sim/random_kernels.hpp"

namespace headroom::sim::kernels::scalar {

/// The scalar twins of the vector kernels, in plain C++ on Random123's own Philox: the same bytes. They serve
/// processors without vector instructions, and the tests as the reference.
void fill_words(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, std::uint64_t* out);
void fill_uniforms(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out);
void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out);
void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, float* out);
void normalize_rows(double* data, std::size_t rows, std::size_t cols, std::size_t stride);
void normalize_rows(float* data, std::size_t rows, std::size_t cols, std::size_t stride);

}  // namespace headroom::sim::kernels::scalar
