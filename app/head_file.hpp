#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/matrix_view.hpp"
#include "model/npy_file.hpp"

namespace headroom::app {

/// The matrices of one head, (rows, cols), or of several, (heads, rows, cols), in a .npy file, read in strips of rows:
/// attention weights of long contexts do not fit in the memory.
class HeadFile {
 public:
  /// Throws Error (input) when the shape is none of these, or has no element.
  /// @param what   how messages call the contents, e.g. "weights"
  /// @param shapes the shapes expected, as messages show them
  HeadFile(const std::string& file, std::string what, const std::string& shapes);

  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] std::size_t heads() const { return file_.shape().size() == 3 ? file_.shape().front() : 1; }
  [[nodiscard]] std::size_t rows() const { return file_.shape()[file_.shape().size() - 2]; }
  [[nodiscard]] std::size_t cols() const { return file_.shape().back(); }

  /// Rows [first, first + count) of a head, put into `strip`; a file of one matrix gives it for every head. May be
  /// called from several threads at once. Throws Error (input) naming the first element that is not finite.
  MatrixView<const double> read(std::size_t head, std::size_t first, std::size_t count,
                                std::vector<double>& strip) const;

 private:
  void require_finite(std::size_t matrix, std::size_t first, const std::vector<double>& strip) const;

  model::NpyFile file_;
  std::string what_;
};

}  // namespace headroom::app
