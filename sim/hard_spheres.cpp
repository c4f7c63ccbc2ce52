#include "sim/hard_spheres.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom::sim {
namespace {

/// Four running sums, always the same ones: the bytes do not depend on how the compiler vectorises.
double squared_distance(const double* a, const double* b, std::size_t dim) {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= dim; k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double difference = a[k + lane] - b[k + lane];
      sums[lane] += difference * difference;
    }
  }
  for (std::size_t lane = 0; k < dim; ++k, ++lane) {
    const double difference = a[k] - b[k];
    sums[lane] += difference * difference;
  }
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace

bool is_clear(const double* candidate, MatrixView<const double> points, std::size_t begin, std::size_t end,
              double separation_squared) {
  for (std::size_t j = begin; j < end; ++j) {
    if (squared_distance(candidate, points.row_data(j), points.cols) < separation_squared) return false;
  }
  return true;
}

bool adsorb(Stream& stream, MatrixView<double> points, double separation, std::size_t tries, bool hemisphere) {
  const double squared = separation * separation;
  for (std::size_t i = 0; i < points.rows; ++i) {
    double* const point = points.row_data(i);
    bool placed = false;
    for (std::size_t attempt = 0; attempt < tries && !placed; ++attempt) {
      fill_sphere(stream, MatrixView<double>(point, 1, points.cols));
      if (hemisphere && attempt < tries / 2) point[0] = std::abs(point[0]);
      placed = is_clear(point, points, 0, i, squared);
    }
    if (!placed) return false;
  }
  return true;
}

bool push_apart(Stream& stream, MatrixView<double> points, double separation) {
  const double wanted = separation * (1 + 1e-6);  // chains of contacts only approach what they are pushed to
  fill_sphere(stream, points);
  for (int round = 0; round < 20000; ++round) {
    bool overlap = false;
    for (std::size_t i = 0; i < points.rows; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        double* const a = points.row_data(i);
        double* const b = points.row_data(j);
        const double distance = std::sqrt(squared_distance(a, b, points.cols));
        if (distance >= wanted || distance == 0) continue;
        overlap = overlap || distance < separation;
        const double push = 0.55 * (wanted / distance - 1);
        for (std::size_t k = 0; k < points.cols; ++k) {
          const double step = push * (a[k] - b[k]);
          a[k] += step;
          b[k] -= step;
        }
        kernels::normalize_rows(a, 1, points.cols, points.cols);
        kernels::normalize_rows(b, 1, points.cols, points.cols);
      }
    }
    if (!overlap) return true;
  }
  return false;
}

}  // namespace headroom::sim
