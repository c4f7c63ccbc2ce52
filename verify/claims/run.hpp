#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verify/claims/claim.hpp"

namespace headroom::verify {

/// Searches for a violation where random draws would not look, after a claim's own run.
class Attack {
 public:
  virtual ~Attack() = default;
  /// Hypotheses with p-values that it will add.
  [[nodiscard]] virtual std::size_t hypotheses(const Claim& claim, Preset preset) const = 0;
  /// Adds what it finds to the result.
  virtual void run(const Claim& claim, const RunContext& context, ClaimResult& result) const = 0;
};

struct RunOptions {
  Preset preset = Preset::quick;
  std::uint64_t seed = 1;
  std::function<bool()> stop = [] { return false; };
  std::function<void(const CellRecord&)> finished_cell = [](const CellRecord&) {};
  /// Called with the number of claims done.
  std::function<void(std::size_t)> finished_claim = [](std::size_t) {};
  const Attack* attack = nullptr;
};

struct Run {
  std::size_t hypotheses = 0;        ///< of the whole run: what each cell's power is reckoned with
  std::vector<ClaimResult> results;  ///< of the claims that were finished, in order
  std::vector<double> seconds;       ///< wall clock of each
  bool interrupted = false;
};

/// Runs the claims one after the other; each uses all threads. The results depend on the claims, preset and seed only.
[[nodiscard]] Run run_claims(const std::vector<const Claim*>& claims, const RunOptions& options);

}  // namespace headroom::verify
