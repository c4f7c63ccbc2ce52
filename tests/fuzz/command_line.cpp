#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/number_check.hpp"
#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

/// Comma lists and numbers, declared as the commands declare theirs: parsed, or an error of CLI11, which the program
/// turns into exit 2.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string value(fuzz::text_of(data, size));
  for (const char* option : {"--tops", "--checked", "--claims", "--seed", "--temperature"}) {
    CLI::App program;
    std::vector<std::size_t> tops;
    std::vector<std::size_t> checked;
    std::vector<std::string> claims;
    std::uint64_t seed = 0;
    std::optional<double> temperature;
    program.add_option("--tops", tops)->delimiter(',');
    program.add_option("--checked", checked)->delimiter(',')->check(app::whole_number());
    program.add_option("--claims", claims)->delimiter(',');
    program.add_option("--seed", seed)->check(app::whole_number());
    program.add_option("--temperature", temperature)->check(app::finite_number());
    try {
      program.parse(std::vector<std::string>{value, option});
    } catch (const CLI::ParseError&) {
    }
  }
  return 0;
}
