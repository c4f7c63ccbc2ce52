#include "app/sweep/kinds.hpp"

#include "app/recorded_heads.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "verify/cell.hpp"
#include "verify/sweep/simulation_kind.hpp"

namespace headroom::app {

std::unique_ptr<const verify::sweep::Kind> make_kind(const std::string& name, const std::string& quantities) {
  if (name == "simulate") return std::make_unique<verify::sweep::SimulationKind>(quantities, read_recorded);
  const std::vector<std::string> known = {"simulate"};
  throw_usage("there is no kind of grid '" + name + "'", "kind", "did you mean " + nearest(name, known) + "?");
}

std::vector<std::string> quantities_measured(const std::string& quantities) {
  const verify::QuantitySet set =
      quantities == "cheap" ? verify::QuantitySet::cheap() : verify::quantities_of(quantities);
  std::vector<std::string> names;
  for (std::size_t q = 0; q < verify::quantity_count; ++q) {
    if (set.has(static_cast<verify::Quantity>(q))) names.emplace_back(verify::quantity_names[q]);
  }
  return names;
}

}  // namespace headroom::app
