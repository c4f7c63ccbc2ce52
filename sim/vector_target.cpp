#include "sim/vector_target.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::sim {
namespace {

std::int64_t compiled_and_here() { return hwy::SupportedTargets() & HWY_TARGETS; }

/// Better targets have lower bits.
std::vector<std::int64_t> bits_of(std::int64_t targets) {
  std::vector<std::int64_t> bits;
  for (std::int64_t rest = targets; rest != 0; rest &= rest - 1) bits.push_back(rest & -rest);
  return bits;
}

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::vector<std::string> vector_targets() {
  std::vector<std::string> names;
  for (const std::int64_t bit : bits_of(compiled_and_here())) names.emplace_back(hwy::TargetName(bit));
  return names;
}

std::string vector_target() { return vector_targets().front(); }

void use_vector_target(std::string_view name) {
  hwy::DisableTargets(0);
  for (const std::int64_t bit : bits_of(compiled_and_here())) {
    if (!same_name(name, hwy::TargetName(bit))) continue;
    hwy::DisableTargets(~bit);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  const std::vector<std::string> known = vector_targets();
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  throw_usage("no vector target " + std::string(name) + " (did you mean " + nearest(std::string(name), known) + "?)",
              "HEADROOM_TARGET", "compiled for and present on this machine: " + all + "; AVX3 is AVX-512");
}

void use_vector_target_of_environment() {
  const char* name = std::getenv("HEADROOM_TARGET");
  if (name != nullptr && *name != '\0') use_vector_target(name);
}

}  // namespace headroom::sim
