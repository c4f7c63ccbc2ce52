#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "verify/quantity.hpp"

namespace headroom::verify {

/// What to measure of every row: for each N its own set of quantities, so that the hundred N of Algorithm 3 need not
/// carry what only the figures show.
class Plan {
 public:
  struct Request {
    std::size_t top = 0;
    QuantitySet quantities;
  };

  /// @param requests one per N, N >= 1; sorted by N and merged where N repeats
  explicit Plan(std::vector<Request> requests);

  /// The same quantities for every N.
  static Plan uniform(const std::vector<std::size_t>& tops, QuantitySet quantities);

  [[nodiscard]] const std::vector<Request>& requests() const { return requests_; }
  [[nodiscard]] bool wants(QuantitySet any) const { return union_.any_of(any); }

  /// Number of values kept per row, and where a request's quantity stands among them (absent: `none`).
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] std::size_t slot(std::size_t request, Quantity quantity) const {
    return slot_[request][static_cast<std::size_t>(quantity)];
  }
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// Number of slots before those of this request; with the number of requests, of all.
  [[nodiscard]] std::size_t first_slot(std::size_t request) const { return first_slot_[request]; }

 private:
  std::vector<Request> requests_;
  QuantitySet union_;
  std::vector<std::array<std::size_t, quantity_count>> slot_;
  std::vector<std::size_t> first_slot_;
  std::size_t slots_ = 0;
};

}  // namespace headroom::verify
