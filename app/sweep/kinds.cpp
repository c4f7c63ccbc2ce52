#include "app/sweep/kinds.hpp"

#include <vector>

#include "app/recorded_heads.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "model/digest.hpp"
#include "verify/sweep/claims_kind.hpp"
#include "verify/sweep/simulation_kind.hpp"
#ifdef HEADROOM_WITH_ONNX
#include "app/sweep/heads_kind.hpp"
#endif

namespace headroom::app {
namespace {

using verify::sweep::SimulationKind;

std::unique_ptr<const verify::sweep::Kind> make_heads_kind([[maybe_unused]] std::shared_ptr<InputDigests> inputs) {
#ifdef HEADROOM_WITH_ONNX
  return std::make_unique<HeadsKind>(std::move(inputs));
#else
  throw_usage("this headroom was built without ONNX and has no models to take heads from", "kind",
              "build it with -DHEADROOM_ONNX=ON");
#endif
}

// A file is what the results depend on, so its digest is taken whenever it is looked at.
SimulationKind::Recorded recorded_from(const std::shared_ptr<InputDigests>& inputs) {
  const auto read = [inputs](const std::string& spec) {
    const std::string path = sim::recorded_path(spec);
    static_cast<void>(inputs->of(path, [&] { return model::sha256_file(path); }));
    return read_recorded(spec);
  };
  const auto check = [inputs, read](const std::string& spec) {
    const std::string path = sim::recorded_path(spec);
    if (!inputs->trusted(path)) static_cast<void>(read(spec));
  };
  return {check, read};
}

}  // namespace

std::unique_ptr<const verify::sweep::Kind> make_kind(const std::string& name, const std::string& quantities,
                                                     std::shared_ptr<InputDigests> inputs) {
  if (name == "simulate") return std::make_unique<SimulationKind>(quantities, recorded_from(inputs));
  if (name == "claims") return std::make_unique<verify::sweep::ClaimsKind>();
  if (name == "heads") return make_heads_kind(std::move(inputs));
  const std::vector<std::string> known = {"simulate", "claims", "heads"};
  throw_usage("there is no kind of grid '" + name + "'", "kind", "did you mean " + nearest(name, known) + "?");
}

}  // namespace headroom::app
