#pragma once

#include <filesystem>
#include <string>

#include "app/verify/report.hpp"
#include "verify/claims/pointwise.hpp"

namespace headroom::app {

/// One input at which a pointwise claim fails, or comes closest to it, as it is written down: a file says all that is
/// needed to check it.
struct Counterexample {
  const verify::PointwiseClaim* claim = nullptr;
  verify::PointInput input;
  double observed = 0.0;  ///< in 168 bits, then rounded
  double bound = 0.0;
};

/// Where a run's folder keeps the smallest counterexample of a claim, and its worst input: of one that fails the worst
/// before it was made small, of another the one that came closest.
[[nodiscard]] std::string counterexample_name(const std::string& claim);
[[nodiscard]] std::string worst_case_name(const std::string& claim, bool fails);

/// A JSON document of schema headroom.counterexample/1, or headroom.worst-input/1 where the claim holds, with every
/// number as a hexadecimal float, so that reading it back gives the same bits: claim, statement, normalizer, dim and
/// top where the claim has them, temperature, logits, epsilon and direction (claims with a step), vectors (rows one
/// after the other), and observed and bound in 168 bits.
[[nodiscard]] std::string counterexample_json(const verify::PointwiseClaim& claim, const verify::PointInput& input);

/// Writes under `folder` the worst input of every pointwise claim, and of those that failed the smallest
/// counterexample.
void write_inputs(const VerifyReport& report, const std::filesystem::path& folder);

/// Error(input) naming the file and the key for what is no such document, a claim that is unknown or not pointwise,
/// sizes that do not fit together, and an input that the claim does not speak of.
[[nodiscard]] Counterexample read_counterexample(const std::filesystem::path& file);

/// What `verify --replay FILE` does: evaluates the claim at the file's input in 168 bits and prints observed, bound,
/// margin and verdict. exit_done when the claim fails or holds there by the numbers of the file, else exit_unexpected.
int replay_counterexample(const std::filesystem::path& file);

}  // namespace headroom::app
