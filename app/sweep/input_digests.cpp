#include "app/sweep/input_digests.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace headroom::app {

std::string InputDigests::of(const std::string& name, const Compute& compute) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  const auto trusted = trusted_.find(name);
  const std::string digest = trusted != trusted_.end() ? trusted->second : compute();
  check_inputs(expected_, {{name, digest}}, "this machine");
  known_[name] = digest;
  return digest;
}

void InputDigests::trust(Digests recorded) {
  const std::scoped_lock lock(mutex_);
  trusted_ = std::move(recorded);
}

bool InputDigests::trusted(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  return trusted_.contains(name);
}

void InputDigests::expect(Digests recorded) {
  const std::scoped_lock lock(mutex_);
  expected_ = std::move(recorded);
}

InputDigests::Digests InputDigests::all() const {
  const std::scoped_lock lock(mutex_);
  return known_;
}

void check_inputs(const InputDigests::Digests& before, const InputDigests::Digests& now, const std::string& where) {
  std::string changes;
  for (const auto& [name, digest] : now) {
    const auto old = before.find(name);
    if (old == before.end() || old->second == digest) continue;
    changes += fmt::format("{}{} had SHA-256 {:.12}... and has {:.12}...", changes.empty() ? "" : "; ", name,
                           old->second, digest);
  }
  if (changes.empty()) return;
  throw_input("what the results depend on has changed: " + changes, where,
              "put it back as it was, or name a new folder with -o");
}

}  // namespace headroom::app
