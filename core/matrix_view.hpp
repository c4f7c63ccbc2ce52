#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace headroom {

/// A row-major matrix somebody else owns; rows are `stride` elements apart.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  MatrixView() = default;
  MatrixView(T* first, std::size_t row_count, std::size_t col_count, std::size_t row_stride)
      : data(first), rows(row_count), cols(col_count), stride(row_stride) {}
  MatrixView(T* first, std::size_t row_count, std::size_t col_count)
      : MatrixView(first, row_count, col_count, col_count) {}

  /// A view of mutable elements is a view of constant ones.
  operator MatrixView<const T>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride};
  }

  [[nodiscard]] T* row_data(std::size_t row) const { return data + row * stride; }
  [[nodiscard]] std::span<T> row(std::size_t row) const { return {row_data(row), cols}; }
  [[nodiscard]] T& operator()(std::size_t row, std::size_t col) const { return data[row * stride + col]; }
  [[nodiscard]] bool empty() const { return rows == 0 || cols == 0; }
};

}  // namespace headroom
