#include "verify/sweep/simulation_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "sim/separation.hpp"
#include "verify/cell.hpp"

namespace headroom::verify::sweep {
namespace {

enum Key : std::size_t { length, dim, top, temperature, normalizer, logits, separation, sampler };

double number(std::span<const Value> point, Key key) { return std::get<double>(point[key]); }
std::size_t whole(std::span<const Value> point, Key key) { return static_cast<std::size_t>(number(point, key)); }
const std::string& text(std::span<const Value> point, Key key) { return std::get<std::string>(point[key]); }

bool is_recorded(const std::string& logits) { return logits.starts_with("file:"); }

class SimulationWork final : public CellWork {
 public:
  SimulationWork(CellParameters parameters, std::shared_ptr<const sim::LogitModel> recorded, std::uint64_t seed,
                 const Record* saved)
      : recorded_(std::move(recorded)), seed_(seed) {
    make_cell(std::move(parameters));
    if (saved != nullptr) {
      for (const GroupValues& group : saved->groups) restore(group);
    }
  }

  bool run(std::uint64_t trials, const StopRequest& stop) override {
    return means_->run(*cell_, seed_, trials - means_->trials(), stop);
  }

  [[nodiscard]] std::uint64_t trials() const override { return means_->trials(); }

  [[nodiscard]] Record record() const override {
    Record record;
    record.of = cell_->canonical();
    record.seed = seed_;
    record.trials = trials();
    const auto& requests = cell_->plan().requests();
    for (std::size_t request = 0; request < requests.size(); ++request) {
      GroupValues& group = record.groups.emplace_back(GroupValues{requests[request].top, {}});
      for (std::size_t q = 0; q < quantity_count; ++q) {
        const Quantity quantity = static_cast<Quantity>(q);
        if (cell_->plan().slot(request, quantity) == Plan::none) continue;
        group.values.emplace_back(sim_name(quantity), means_->of(*cell_, request, quantity));
      }
    }
    return record;
  }

  void drop(std::span<const std::uint64_t> groups) override {
    Record kept = record();
    std::erase_if(kept.groups, [&](const GroupValues& group) {
      return std::find(groups.begin(), groups.end(), group.group) != groups.end();
    });
    CellParameters parameters = cell_->parameters();
    parameters.tops.clear();
    for (const GroupValues& group : kept.groups) parameters.tops.push_back(group.group);
    make_cell(std::move(parameters));
    for (const GroupValues& group : kept.groups) restore(group);
  }

 private:
  static std::string sim_name(Quantity quantity) { return std::string(name(quantity)); }

  void make_cell(CellParameters parameters) {
    cell_.emplace(std::move(parameters), recorded_);
    means_.emplace(*cell_);
  }

  void restore(const GroupValues& group) {
    const auto& requests = cell_->plan().requests();
    for (std::size_t request = 0; request < requests.size(); ++request) {
      if (requests[request].top != group.group) continue;
      for (const auto& [quantity, moments] : group.values) {
        const std::optional<Quantity> known = quantity_named(quantity);
        const std::size_t slot = known ? cell_->plan().slot(request, *known) : Plan::none;
        if (slot != Plan::none) means_->slots()[slot] = moments;
      }
    }
  }

  std::shared_ptr<const sim::LogitModel> recorded_;
  std::uint64_t seed_;
  std::optional<Cell> cell_;
  std::optional<CellMeans> means_;
};

}  // namespace

SimulationKind::SimulationKind(const std::string& quantities, Recorded recorded)
    : quantities_(quantities == "cheap" ? QuantitySet::cheap() : quantities_of(quantities)),
      recorded_(std::move(recorded)) {}

std::vector<std::string> SimulationKind::quantities() const {
  std::vector<std::string> names;
  for (std::size_t q = 0; q < quantity_count; ++q) {
    if (quantities_.has(static_cast<Quantity>(q))) names.emplace_back(quantity_names[q]);
  }
  return names;
}

std::span<const GridKey> SimulationKind::all_keys() {
  using Type = GridKey::Type;
  static const std::vector<GridKey> keys = {
      {"length", Type::whole, {}, "L, tokens"},
      {"dim", Type::whole, {}, "d, dimension of the vectors"},
      {"top", Type::whole, {}, "N, tokens selected; all N of a cell are measured on the same draws"},
      {"temperature", Type::number, 1.0, "T, which the logits are divided by"},
      {"normalizer", Type::text, "softmax", "of list normalizers"},
      {"logits", Type::text, "gaussian", "of list logits"},
      {"separation", Type::number, 0.0, "smallest distance between two vectors"},
      {"sampler", Type::text, "", "of list samplers; empty: by L, d and separation"}};
  return keys;
}

template <class Make>
const std::string& SimulationKind::canonical(const std::string& spec, Make make) const {
  const std::scoped_lock lock(mutex_);
  const auto known = canonical_.find(spec);
  return known != canonical_.end() ? known->second : canonical_.emplace(spec, make(spec)).first->second;
}

std::shared_ptr<const sim::LogitModel> SimulationKind::read(const std::string& logits) const {
  if (!is_recorded(logits)) return nullptr;
  const std::scoped_lock lock(mutex_);
  const auto known = rows_.find(logits);
  return known != rows_.end() ? known->second : rows_.emplace(logits, recorded_.read(logits)).first->second;
}

CellParameters SimulationKind::parameters(std::span<const Value> point, std::span<const std::uint64_t> groups) const {
  CellParameters p;
  p.length = whole(point, Key::length);
  p.dim = whole(point, Key::dim);
  p.tops.assign(groups.begin(), groups.end());
  p.quantities = quantities_;
  p.temperature = number(point, Key::temperature);
  p.normalizer = text(point, Key::normalizer);
  p.logits = text(point, Key::logits);
  p.separation = number(point, Key::separation);
  p.sampler = text(point, Key::sampler);
  return p;
}

Kind::Identity SimulationKind::identify(std::span<const Value> point, std::span<const std::uint64_t> groups) const {
  CellParameters p = parameters(point, groups);
  check_cell_shape(p);
  p.normalizer = canonical(p.normalizer, [](const std::string& spec) { return sim::make_normalizer(spec)->name(); });
  p.logits = canonical(p.logits, [&](const std::string& spec) {
    if (!is_recorded(spec)) return sim::make_logit_model(spec, p.dim)->name();
    recorded_.check(spec);
    return spec;
  });
  if (p.separation > 0) {
    if (const double largest = sim::largest_separation(p.length, p.dim); p.separation > largest) {
      throw_usage(fmt::format("{} points in {} dimensions cannot be {} apart", p.length, p.dim, p.separation),
                  "separation", fmt::format("the largest separation not ruled out is {:.4g}", largest));
    }
  }
  if (p.sampler.empty()) p.sampler = sim::default_sphere_sampler({p.length, p.dim, p.separation});
  p.sampler = canonical(
      p.sampler, [](const std::string& spec) { return sim::Spec(spec, "sampler", cell_samplers()).canonical(); });
  // Drawing a coordinate and the products with it, and one pass over the tokens for each N.
  const auto l = static_cast<double>(p.length);
  const auto d = static_cast<double>(p.dim);
  const auto n = static_cast<double>(p.tops.size());
  const bool projected = p.sampler.starts_with("projected");
  const double coordinates = projected ? 8 * n * l : l * d * (1 + 0.15 * n);
  const double pairs = p.separation > 0 || quantities_.has(Quantity::distance_upper) ? 0.25 * l * l * d : 0;
  return {cell_text(p), 1e-9 * (coordinates + 25 * l + 8 * n * l + pairs) + 1e-6};
}

std::unique_ptr<CellWork> SimulationKind::begin(std::span<const Value> point, std::span<const std::uint64_t> groups,
                                                std::uint64_t seed, const Record* saved) const {
  CellParameters p = parameters(point, groups);
  std::shared_ptr<const sim::LogitModel> rows = read(p.logits);
  return std::make_unique<SimulationWork>(std::move(p), std::move(rows), seed, saved);
}

}  // namespace headroom::verify::sweep
