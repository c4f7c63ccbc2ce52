#pragma once

#include <string>
#include <vector>

namespace headroom::sim::test {

/// A spec, and how exact_weights() calls it.
struct Case {
  std::string spec;
  std::string id;
  std::vector<double> parameters;
};

/// Every normalizer, and the values of its keys that need other code.
inline const std::vector<Case> cases = {
    {"softmax", "softmax", {}},
    {"ssmax", "ssmax", {1, 0}},
    {"ssmax:s=0.43,b=-0.2", "ssmax", {0.43, -0.2}},
    {"softmax1", "softmax1", {}},
    {"sasoftmax", "sasoftmax", {}},
    {"sasoftmax-norm", "sasoftmax-norm", {}},
    {"sparsemax", "sparsemax", {}},
    {"entmax", "entmax", {1.5}},
    {"entmax:alpha=1", "entmax", {1}},
    {"entmax:alpha=1.000000000001", "entmax", {1.000000000001}},
    {"entmax:alpha=1.000000001", "entmax", {1.000000001}},
    {"entmax:alpha=1.001", "entmax", {1.001}},
    {"entmax:alpha=1.33", "entmax", {1.33}},
    {"entmax:alpha=3", "entmax", {3}},
    {"entmax:alpha=10", "entmax", {10}},
    {"entmax:alpha=64", "entmax", {64}},
    {"asentmax", "asentmax", {1, 0.5, 1, 1.5}},
    {"sigmoid", "sigmoid", {}},
    {"sigmoid:b=-2", "sigmoid", {-2}},
    {"topk:k=3", "topk", {3}},
    {"logn", "logn", {0.1603}},
    {"power:f=softplus", "power:f=softplus", {}},
    {"power:f=square", "power:f=square", {}},
    {"power:f=cosh", "power:f=cosh", {}},
};

}  // namespace headroom::sim::test
