#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::sim {

/// One key of a normalizer, logit model or sampler, as `list` shows it.
struct KeyInfo {
  std::string name;
  std::string default_value;
  std::string meaning;  ///< what it is and which values are allowed
};

/// One thing that can be named on the command line, as `list` shows it.
struct EntryInfo {
  std::string id;
  std::vector<KeyInfo> keys;
  std::string formula;
  std::string source;       ///< paper, or "this project"
  bool takes_path = false;  ///< ID:PATH instead of ID:k=v,…; the value of its only key is the path
};

/// A choice made on the command line: `ID[:k=v,…]`, with the defaults filled in.
class Spec {
 public:
  /// Parses `text` against what is known. Throws usage errors for an unknown id or key (naming the nearest right one),
  /// a key given twice and a missing value. `noun` says what is being chosen ("normalizer").
  Spec(std::string_view text, std::string noun, std::span<const EntryInfo> known);

  [[nodiscard]] const std::string& id() const { return id_; }

  /// `ID:k=v,…` with every key in the order of `list`, values as given or defaulted: one spelling for a choice, part
  /// of the hash of a cell.
  [[nodiscard]] std::string canonical() const;

  /// The value of a key of this id, as written.
  [[nodiscard]] const std::string& text(std::string_view key) const;

  /// The value as a finite number; a usage error when it is none.
  [[nodiscard]] double number(std::string_view key) const;

  /// The value as a whole number of at least `least`; a usage error otherwise.
  [[nodiscard]] std::size_t count(std::string_view key, std::size_t least) const;

  /// Throws the usage error for a value out of range, e.g. reject("alpha", "a number of at least 1").
  [[noreturn]] void reject(std::string_view key, const std::string& allowed) const;

 private:
  std::string noun_;
  std::string id_;
  std::vector<std::pair<std::string, std::string>> values_;
  bool path_ = false;
};

}  // namespace headroom::sim
