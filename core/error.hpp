#pragma once

#include <stdexcept>
#include <string>

namespace headroom {

/// What went wrong from the user's side; the program turns it into an exit status.
enum class Fault {
  usage,  ///< the call itself is wrong: an unknown name, a value out of range
  input,  ///< a file, tensor, text or the environment is at fault
};

/// The one exception the libraries throw at users: a problem, where it is, and what to do about it.
class Error : public std::runtime_error {
 public:
  /// @param problem what is wrong, in one clause
  /// @param place   the file, line, tensor or element at fault; may be empty
  /// @param remedy  what the user can do; may be empty
  Error(Fault fault, const std::string& problem, const std::string& place, const std::string& remedy);

  [[nodiscard]] Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

/// Shorthands, so that call sites read as what they report.
[[noreturn]] void throw_usage(const std::string& problem, const std::string& place, const std::string& remedy);
[[noreturn]] void throw_input(const std::string& problem, const std::string& place, const std::string& remedy);

}  // namespace headroom
