#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace headroom::verify {

/// The sizes and choices of an input, which stay fixed while its numbers vary.
struct Shape {
  std::size_t length = 1;  ///< L, tokens
  std::size_t dim = 0;     ///< d of the vectors; 0: the claim has none
  std::size_t top = 0;     ///< N; 0: nothing is selected
  std::string normalizer = "softmax";
  bool operator==(const Shape&) const = default;
};

/// One input of a pointwise claim, all of it: whether the claim fails there is a fact that others can check.
struct PointInput {
  Shape shape;
  std::vector<double> logits;     ///< L
  double temperature = 1.0;       ///< T
  double epsilon = 0.0;           ///< length of a step in the logits; 0: no step
  std::vector<double> vectors;    ///< (L × d)
  std::vector<double> direction;  ///< of the step, L; taken to unit length by whoever uses it
};

struct Range {
  double lower;
  double upper;
};

/// Which inputs a pointwise claim is about: the parts that it reads and the limits of their numbers.
struct Domain {
  Range logit{-20.0, 20.0};
  Range temperature{0.05, 20.0};
  bool vectors = false;          ///< coordinates in [−1, 1]
  bool step = false;             ///< a direction, coordinates in [−1, 1], and ε
  Range epsilon{1e-6, 100.0};    ///< of the step
  std::size_t least_length = 1;  ///< of shapes with top = 0; others need one non-selected token too
  std::size_t least_dim = 2;     ///< where there are vectors

  /// Whether the claim speaks of inputs of this shape.
  [[nodiscard]] bool admits(const Shape& shape) const;
};

/// The input as one vector, for optimisers: logits, log T, log ε and the direction (claims with a step), vectors.
[[nodiscard]] std::vector<double> flatten(const PointInput& input, const Domain& domain);

/// The input a vector of that layout stands for; its size is box(…).lower.size().
[[nodiscard]] PointInput unflatten(const Shape& shape, const Domain& domain, std::span<const double> flat);

/// Limits of every element.
struct Box {
  std::vector<double> lower;
  std::vector<double> upper;
};
[[nodiscard]] Box box(const Shape& shape, const Domain& domain);

/// Numbers an input consists of: what shrinking makes few.
[[nodiscard]] std::size_t number_count(const PointInput& input);

}  // namespace headroom::verify
