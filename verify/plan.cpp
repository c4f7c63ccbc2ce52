#include "verify/plan.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace headroom::verify {

Plan::Plan(std::vector<Request> requests) : requests_(std::move(requests)) {
  std::stable_sort(requests_.begin(), requests_.end(),
                   [](const Request& a, const Request& b) { return a.top < b.top; });
  std::vector<Request> merged;
  for (const Request& request : requests_) {
    assert(request.top >= 1);
    if (!merged.empty() && merged.back().top == request.top) {
      merged.back().quantities = merged.back().quantities | request.quantities;
    } else {
      merged.push_back(request);
    }
  }
  requests_ = std::move(merged);
  for (const Request& request : requests_) {
    union_ = union_ | request.quantities;
    first_slot_.push_back(slots_);
    std::array<std::size_t, quantity_count>& slot = slot_.emplace_back();
    for (std::size_t q = 0; q < quantity_count; ++q) {
      slot[q] = request.quantities.has(static_cast<Quantity>(q)) ? slots_++ : none;
    }
  }
  first_slot_.push_back(slots_);
}

Plan Plan::uniform(const std::vector<std::size_t>& tops, QuantitySet quantities) {
  std::vector<Request> requests;
  requests.reserve(tops.size());
  for (std::size_t top : tops) requests.push_back({top, quantities});
  return Plan(std::move(requests));
}

}  // namespace headroom::verify
