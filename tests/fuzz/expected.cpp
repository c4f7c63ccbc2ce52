#include "app/verify/expected.hpp"

#include <array>

#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

/// results/expected.toml, for a program that knows three claims.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::FileOfInput file("expected.toml");
  static const std::array<std::string, 3> claims = {"lemma1", "lemma1.sharp", "law"};
  fuzz::loads([&] { (void)app::read_expected(file.hold(fuzz::text_of(data, size)), claims); });
  return 0;
}
