#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "verify/sweep/kind.hpp"

namespace headroom::verify::sweep {

/// Grids of Monte-Carlo cells, what `simulate` does one of: keys length, dim, top (grouped), temperature, normalizer,
/// logits, separation and sampler. The values at one N are the same bytes whichever other N are measured on the draws.
class SimulationKind final : public Kind {
 public:
  /// Recorded logits are the program's to read.
  struct Recorded {
    /// Throws when the file of a spec "file:PATH" is not what it has to be; called once per spec of a plan.
    std::function<void(const std::string&)> check;
    /// Its logit model, read when a first cell needs it.
    std::function<std::shared_ptr<const sim::LogitModel>(const std::string&)> read;
  };

  /// @param quantities as quantities_of() reads them, or "cheap"
  SimulationKind(const std::string& quantities, Recorded recorded);

  [[nodiscard]] std::string name() const override { return "simulate"; }
  [[nodiscard]] std::span<const GridKey> keys() const override { return all_keys(); }
  [[nodiscard]] std::string grouped() const override { return "top"; }
  [[nodiscard]] std::vector<std::string> quantities() const override;
  [[nodiscard]] bool chooses_quantities() const override { return true; }
  [[nodiscard]] Identity identify(std::span<const Value> point, std::span<const std::uint64_t> groups) const override;
  [[nodiscard]] std::unique_ptr<CellWork> begin(std::span<const Value> point, std::span<const std::uint64_t> groups,
                                                std::uint64_t seed, const Record* saved) const override;

  [[nodiscard]] static std::span<const GridKey> all_keys();

 private:
  [[nodiscard]] CellParameters parameters(std::span<const Value> point, std::span<const std::uint64_t> groups) const;
  [[nodiscard]] std::shared_ptr<const sim::LogitModel> read(const std::string& logits) const;
  template <class Make>
  const std::string& canonical(const std::string& spec, Make make) const;

  QuantitySet quantities_;
  Recorded recorded_;
  // What has been looked up once: planning meets the same few specs in every cell.
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> canonical_;
  mutable std::map<std::string, std::shared_ptr<const sim::LogitModel>> rows_;
};

}  // namespace headroom::verify::sweep
