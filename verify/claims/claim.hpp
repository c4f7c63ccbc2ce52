#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "verify/claims/result.hpp"

namespace headroom::verify {

/// What a violation would be (docs/derivations.md, Section 5).
enum class Kind {
  pointwise,    ///< a fact about one input
  expectation,  ///< a mean on the wrong side of its bound
  asymptotic,   ///< a limit or exponent outside the interval of the extrapolation
  measurement,  ///< nothing is claimed; the verdict is `measured`
};

/// How much is tested: seconds, minutes or an hour.
enum class Preset { quick, paper, full };

/// Relative violation of a bound that an expectation claim must have had power to catch: 5 % quick, 1 % otherwise.
[[nodiscard]] double detectable_violation(Preset preset);

struct ClaimText {
  std::string id;
  std::string statement;
  std::string source;  ///< where it stands in the paper, or whose derivation it is, with the equation
  std::string assumptions;
  Kind kind = Kind::pointwise;
  std::array<std::string, 3> grid;  ///< what is tested, per preset
};

struct RunContext {
  Preset preset = Preset::quick;
  std::uint64_t seed = 1;
  /// Level that one hypothesis of the run is left with in the worst case: 0.01 over the number of hypotheses.
  double level = 0.01;
  /// Polled between blocks of trials; true makes run() throw Stopped.
  std::function<bool()> stop = [] { return false; };
  /// Called, in order, with every cell that is finished.
  std::function<void(const CellRecord&)> finished = [](const CellRecord&) {};
};

/// Thrown through Claim::run when the context says stop; the cells finished before have been handed over.
struct Stopped {};

/// One statement, printed or derived, and how it is tested. Immutable.
class Claim {
 public:
  explicit Claim(ClaimText text) : text_(std::move(text)) {}
  virtual ~Claim() = default;

  [[nodiscard]] const ClaimText& text() const { return text_; }
  [[nodiscard]] const std::string& id() const { return text_.id; }

  /// How many hypotheses with p-values run() will test: what Holm's correction must share the level among.
  [[nodiscard]] virtual std::size_t hypotheses(Preset preset) const = 0;

  /// Tests every cell of the preset's grid. The bytes of the result depend on the preset, seed and level only.
  [[nodiscard]] virtual ClaimResult run(const RunContext& context) const = 0;

 private:
  ClaimText text_;
};

}  // namespace headroom::verify
