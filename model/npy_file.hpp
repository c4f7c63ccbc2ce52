#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/matrix_view.hpp"
#include "model/input_file.hpp"
#include "model/npy_header.hpp"

namespace headroom::model {

/// A .npy file whose matrices are read in strips of rows, for arrays larger than the memory. Reads what read_npy reads
/// and widens every element to float64 exactly.
class NpyFile {
 public:
  /// Reads the header alone. @throws Error (input) as parse_npy
  explicit NpyFile(const std::filesystem::path& file);

  [[nodiscard]] const std::string& name() const { return input_.name(); }
  [[nodiscard]] const std::vector<std::size_t>& shape() const { return header_.shape; }

  /// Reads rows [first, first + out.rows) of one matrix of a (matrices, rows, cols) array, or of a (rows, cols) array
  /// for matrix = 0. Requires such a shape, rows that exist and out.cols = cols.
  ///
  /// Beside `out` it needs a MiB or one row of the file. In C order every byte is read once; in Fortran order, where
  /// the matrices lie interleaved, those of the neighbouring matrices are read as well.
  /// @throws Error (input) when the file cannot be read or has become shorter
  /// May be called from several threads at once.
  void read_rows(std::size_t matrix, std::size_t first, MatrixView<double> out) const;

 private:
  InputFile input_;
  NpyHeader header_;
};

}  // namespace headroom::model
