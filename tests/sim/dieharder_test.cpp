// Dieharder (Brown, Eddelbuettel, Bauer) reads the stream from standard input; it is an optional Debian package.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "sim/random.hpp"

using headroom::sim::Stream;

namespace {

/// p-values of one Dieharder test on the words `next` gives, until Dieharder has had enough.
template <class Next>
std::vector<double> p_values(const std::string& arguments, Next next) {
  const std::filesystem::path report =
      std::filesystem::temp_directory_path() / ("headroom-dieharder-" + std::to_string(getpid()) + ".txt");
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  FILE* pipe = popen(
      ("dieharder -g 200 -D test_name -D pvalues " + arguments + " > '" + report.string() + "' 2>/dev/null").c_str(),
      "w");
  REQUIRE(pipe != nullptr);
  std::vector<std::uint64_t> words(1 << 16);
  do {
    next(words);
  } while (std::fwrite(words.data(), sizeof(std::uint64_t), words.size(), pipe) == words.size());
  pclose(pipe);
  std::signal(SIGPIPE, previous);

  std::vector<double> found;
  std::ifstream file(report);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind('|') + 1)));
    if (double p = 0; line.find('|') != std::string::npos && fields >> p) found.push_back(p);
  }
  file.close();
  std::filesystem::remove(report);
  return found;
}

struct NamedTest {
  const char* name;
  const char* arguments;  // -d test number, -p repetitions, -t samples, -n parameter
};

// Sized to well under a minute in all on an idle core; the numbers are Dieharder's own.
const NamedTest tests[] = {
    {"birthdays", "-d 0 -p 100"},   {"rank_32x32", "-d 2 -p 50"},         {"bitstream", "-d 4 -p 20"},
    {"sts_serial", "-d 102 -p 50"}, {"rgb_bitdist", "-d 200 -n 4 -p 50"}, {"rgb_lagged_sum", "-d 203 -n 3 -p 20"},
};

bool installed() { return std::system("command -v dieharder > /dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("the stream passes the named dieharder tests", "[slow]") {
  if (!installed()) {
    WARN("skipped: dieharder is not installed (apt-get install dieharder)");
    return;
  }
  for (const NamedTest& test : tests) {
    Stream stream(20260101, 17, 0);
    const std::vector<double> found =
        p_values(test.arguments, [&](std::vector<std::uint64_t>& words) { stream.words(words); });
    CAPTURE(test.name, found);
    CHECK_FALSE(found.empty());
    for (const double p : found) CHECK(p >= 1e-6);
  }
}

TEST_CASE("a linear congruence's low bits fail the named dieharder tests", "[slow]") {
  if (!installed()) {
    WARN("skipped: dieharder is not installed (apt-get install dieharder)");
    return;
  }
  for (const NamedTest& test : tests) {
    std::uint64_t state = 1;
    const std::vector<double> found = p_values(test.arguments, [&](std::vector<std::uint64_t>& words) {
      for (std::uint64_t& word : words) {
        word = 0;
        for (int byte = 0; byte < 8; ++byte) {
          state = state * 6364136223846793005u + 1;
          word = (word << 8) | (state & 0xff);
        }
      }
    });
    CAPTURE(test.name, found);
    CHECK(std::any_of(found.begin(), found.end(), [](double p) { return p < 1e-6; }));
  }
}
