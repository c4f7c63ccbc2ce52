#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace headroom::app {

/// The SHA-256 of everything that a grid names outside of itself (recorded logits, models, texts), by the name it has
/// in the grid: results depend on these as they do on the grid. May be used by several threads.
class InputDigests {
 public:
  using Digests = std::map<std::string, std::string>;
  using Compute = std::function<std::string()>;

  /// Of the content behind a name; computed once.
  [[nodiscard]] std::string of(const std::string& name, const Compute& compute);

  /// Takes these as they are from now on, so that results can be read where the inputs are not.
  void trust(Digests recorded);
  [[nodiscard]] bool trusted(const std::string& name) const;

  /// From now on of() throws an input error for a name whose content is another.
  void expect(Digests recorded);

  /// Those asked for so far.
  [[nodiscard]] Digests all() const;

 private:
  mutable std::mutex mutex_;
  Digests trusted_;
  Digests expected_;
  Digests known_;
};

/// Throws an input error when a name has other content in `now` than in `before`. @param where the folder whose results
/// depend on it
void check_inputs(const InputDigests::Digests& before, const InputDigests::Digests& now, const std::string& where);

}  // namespace headroom::app
