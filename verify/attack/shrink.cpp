#include "verify/attack/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace headroom::verify {
namespace {

bool in(Range range, double value) { return range.lower <= value && value <= range.upper; }

bool in_domain(const PointInput& input, const Domain& domain) {
  const auto all_in = [](const std::vector<double>& values, Range range) {
    return std::ranges::all_of(values, [&](double value) { return in(range, value); });
  };
  return domain.admits(input.shape) && in(domain.temperature, input.temperature) &&
         (!domain.step || in(domain.epsilon, input.epsilon)) && all_in(input.logits, domain.logit) &&
         all_in(input.direction, {-1.0, 1.0}) && all_in(input.vectors, {-1.0, 1.0});
}

void erase(std::vector<double>& values, std::size_t first, std::size_t count) {
  if (values.empty()) return;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  values.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
}

PointInput without_tokens(PointInput input, std::size_t first, std::size_t count) {
  erase(input.logits, first, count);
  erase(input.direction, first, count);
  erase(input.vectors, first * input.shape.dim, count * input.shape.dim);
  input.shape.length -= count;
  return input;
}

PointInput without_coordinates(PointInput input, std::size_t first, std::size_t count) {
  for (std::size_t row = input.shape.length; row-- > 0;) erase(input.vectors, row * input.shape.dim + first, count);
  input.shape.dim -= count;
  return input;
}

// `value` to `digits` significant binary digits.
double rounded(double value, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(fraction, digits)), exponent - digits);
}

class Shrinker {
 public:
  Shrinker(PointInput input, const Domain& domain, const std::function<bool(const PointInput&)>& has_property)
      : input_(std::move(input)), domain_(domain), has_property_(has_property) {}

  PointInput run() {
    while (drop_tokens() || drop_selected() || drop_coordinates()) {
    }
    while (round_logits() | round_numbers()) {
    }
    // Rounder numbers may need fewer of them.
    while (drop_tokens() || drop_selected() || drop_coordinates() || round_numbers()) {
    }
    return std::move(input_);
  }

 private:
  bool accept(PointInput candidate) {
    if (!in_domain(candidate, domain_) || !has_property_(candidate)) return false;
    input_ = std::move(candidate);
    return true;
  }

  // Tries to leave out runs of `size` of them, halving the runs (Zeller's delta debugging).
  template <class Without>
  bool drop(const std::size_t& size, Without without) {
    bool dropped = false;
    for (std::size_t run = size / 2 + size % 2; run > 0; run = run == 1 ? 0 : run / 2) {
      for (std::size_t first = 0; first + run <= size;) {
        if (run < size && accept(without(input_, first, run))) {
          dropped = true;
        } else {
          first += run;
        }
      }
    }
    return dropped;
  }

  bool drop_tokens() { return drop(input_.shape.length, without_tokens); }
  bool drop_coordinates() { return input_.shape.dim > 0 && drop(input_.shape.dim, without_coordinates); }

  // One selected token fewer, with the token or without.
  bool drop_selected() {
    if (input_.shape.top < 2) return false;
    PointInput fewer = input_;
    --fewer.shape.top;
    for (std::size_t i = 0; i < input_.shape.length; ++i) {
      if (accept(without_tokens(fewer, i, 1))) return true;
    }
    return accept(std::move(fewer));
  }

  [[nodiscard]] int logit_digits(const PointInput& input) const {
    int digits = 0;
    for (const double logit : input.logits) digits += digits_of(logit);
    return digits;
  }

  // What no change of one logit does: all 0, or all moved alike until one of them is 0.
  bool round_logits() {
    const int before = logit_digits(input_);
    const auto accept_rounder = [&](PointInput candidate) {
      return logit_digits(candidate) < before && accept(std::move(candidate));
    };
    PointInput candidate = input_;
    std::ranges::fill(candidate.logits, 0.0);
    if (accept_rounder(std::move(candidate))) return true;
    for (const double shift : std::vector<double>(input_.logits)) {
      candidate = input_;
      for (double& logit : candidate.logits) logit -= shift;
      if (accept_rounder(std::move(candidate))) return true;
    }
    return false;
  }

  template <class Member>
  bool round_number(Member member) {
    const double value = member(input_);
    std::vector<double> candidates = {0.0, 1.0, -1.0};
    for (const int digits : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) candidates.push_back(rounded(value, digits));
    for (const double simple : candidates) {
      if (digits_of(simple) >= digits_of(value)) continue;
      PointInput candidate = input_;
      member(candidate) = simple;
      if (accept(std::move(candidate))) return true;
    }
    return false;
  }

  bool round_numbers() {
    bool any = round_number([](PointInput& input) -> double& { return input.temperature; });
    if (domain_.step) any |= round_number([](PointInput& input) -> double& { return input.epsilon; });
    for (std::size_t i = 0; i < input_.logits.size(); ++i) {
      any |= round_number([i](PointInput& input) -> double& { return input.logits[i]; });
    }
    for (std::size_t i = 0; i < input_.direction.size(); ++i) {
      any |= round_number([i](PointInput& input) -> double& { return input.direction[i]; });
    }
    for (std::size_t i = 0; i < input_.vectors.size(); ++i) {
      any |= round_number([i](PointInput& input) -> double& { return input.vectors[i]; });
    }
    return any;
  }

  PointInput input_;
  const Domain& domain_;
  const std::function<bool(const PointInput&)>& has_property_;
};

}  // namespace

int digits_of(double value) {
  if (value == 0.0) return 0;
  int exponent = 0;
  auto fraction = static_cast<std::uint64_t>(std::ldexp(std::abs(std::frexp(value, &exponent)), 53));
  int digits = 53;
  for (; fraction % 2 == 0; fraction /= 2) --digits;
  return digits + std::abs(exponent - 1);
}

PointInput shrink(PointInput input, const Domain& domain, const std::function<bool(const PointInput&)>& has_property) {
  return Shrinker(std::move(input), domain, has_property).run();
}

}  // namespace headroom::verify
