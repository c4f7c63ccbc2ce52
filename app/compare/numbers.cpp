#include "app/compare/numbers.hpp"

#include <cmath>

namespace headroom::app {
namespace {

using verify::Quantity;

double at_top(const LengthMeans& at, std::size_t top, Quantity quantity) {
  return at.tops.empty() ? std::nan("") : at.tops[top][quantity];
}

}  // namespace

const std::array<HeadNumber, 10> head_numbers = {
    {{"distance", [](const LengthMeans& at, std::size_t top) { return at_top(at, top, Quantity::distance); }},
     {"expected_full", [](const LengthMeans& at, std::size_t top) { return at_top(at, top, Quantity::expected_full); }},
     {"separable", [](const LengthMeans& at, std::size_t top) { return at_top(at, top, Quantity::separable); }},
     {"mass", [](const LengthMeans& at, std::size_t top) { return at_top(at, top, Quantity::mass); }},
     {"entropy", [](const LengthMeans& at, std::size_t) { return at.entropy; }},
     {"max_weight", [](const LengthMeans& at, std::size_t) { return at.max_weight; }},
     {"zeros", [](const LengthMeans& at, std::size_t) { return at.zeros; }},
     {"jacobian_mean", [](const LengthMeans& at, std::size_t) { return at.jacobian_mean; }},
     {"jacobian_worst", [](const LengthMeans& at, std::size_t) { return at.jacobian_worst; }},
     {"output_change", [](const LengthMeans& at, std::size_t) { return at.output_change; }}}};

const HeadNumber expected_number = {
    "expected", [](const LengthMeans& at, std::size_t top) { return at_top(at, top, Quantity::expected); }};

}  // namespace headroom::app
