// One call into every room, so that every library and what it stands on has to link.
#include <array>
#include <cstdio>
#include <string>

#include "core/nearest.hpp"
#include "model/digest.hpp"
#include "sim/normalizer.hpp"
#include "theory/jacobian_norm.hpp"
#include "verify/statistics/ks.hpp"

int main() {
  const std::array<std::string, 2> names = {"softmax", "sigmoid"};
  const std::array<double, 2> weights = {0.5, 0.5};
  const bool right = headroom::nearest("softmx", names) == "softmax" &&
                     headroom::theory::jacobian_norm(weights) == 0.5 && !headroom::sim::normalizer_list().empty() &&
                     headroom::model::sha256({}).size() == 64 &&
                     headroom::verify::ks_two_sample(weights, weights).p_value == 1.0;
  std::puts(right ? "every room answers" : "a room gives a wrong answer");
  return right ? 0 : 1;
}
