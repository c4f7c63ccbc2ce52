#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "app/csv.hpp"
#include "app/figures.hpp"
#include "app/output.hpp"
#include "app/run.hpp"
#include "catch.hpp"
#include "model/tokenizer.hpp"

using namespace headroom::app;
using headroom::app::test::content;
using headroom::app::test::Outcome;
using headroom::app::test::run;
using headroom::app::test::TemporaryFolder;

namespace {

// Words that are one token each, with the space before them, so that a text can be cut between any two.
std::string words(std::size_t count) {
  const std::vector<std::string> known = {" the", " and",  " to",   " of",  " he",
                                          " was", " that", " with", " not", " her"};
  std::mt19937_64 random(5);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += known[random() % known.size()];
  return text;
}

headroom::model::Tokenizer bundled_tokenizer() {
  const std::string folder = HEADROOM_SOURCE "/model/assets/gpt2-wp/";
  return headroom::model::Tokenizer::load(folder + "vocab.json", folder + "merges.txt");
}

// The header of a CSV and its cells.
std::vector<std::vector<std::string>> cells(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  for (char c : csv) {
    if (c == '\n') {
      rows.emplace_back(1);
    } else if (c == ',') {
      rows.back().emplace_back();
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

// A program whose standard error is a terminal.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> arguments) : terminal_(posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(terminal_ >= 0);
    REQUIRE((grantpt(terminal_) == 0 && unlockpt(terminal_) == 0));
    arguments.insert(arguments.begin(), HEADROOM_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ptsname(terminal_), O_RDWR | O_NOCTTY, 0);
    REQUIRE(posix_spawn(&process_, HEADROOM_PROGRAM, &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;
  ~OnTerminal() { close(terminal_); }

  // What was written since the last call; empty once the program has ended.
  std::string read() {
    std::array<char, 4096> buffer{};
    const ssize_t size = ::read(terminal_, buffer.data(), buffer.size());
    return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : "";
  }
  void interrupt() const { kill(process_, SIGINT); }
  int exit_status() const {
    int status = 0;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_;
  pid_t process_ = 0;
};

}  // namespace

TEST_CASE("the mean over windows is the mean of the runs on each window alone") {
  const TemporaryFolder folder;
  const std::string text = words(70);
  const auto tokenizer = bundled_tokenizer();
  const auto ids = tokenizer.encode(text);
  REQUIRE(ids.size() == 70);
  for (std::size_t w = 0; w < 2; ++w) {
    const std::vector<headroom::model::TokenId> part(ids.begin() + static_cast<std::ptrdiff_t>(32 * w),
                                                     ids.begin() + static_cast<std::ptrdiff_t>(32 * w + 32));
    const std::string piece = tokenizer.decode(part);
    REQUIRE(tokenizer.encode(piece) == part);
    write_file(folder / ("part" + std::to_string(w)), piece);
  }
  write_file(folder / "whole", text);
  const auto reproduce = [&](const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"reproduce", "--length", "32", "--figures", "2a"});
    arguments.insert(arguments.end(), {"-o", folder / name});
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
  };
  reproduce("a", {"--text", folder / "part0"});
  reproduce("b", {"--text", folder / "part1", "--windows", "1"});
  reproduce("windows", {"--text", folder / "whole", "--windows", "2"});
  reproduce("texts", {"--text", folder / "part0", "--text", folder / "part1"});
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a" / "windows.csv"));

  for (const char* name : {"heads.csv", "figure2a.csv"}) {
    const auto a = cells(content(folder.path() / "a" / name));
    const auto b = cells(content(folder.path() / "b" / name));
    for (const char* pooled : {"windows", "texts"}) {
      const auto both = cells(content(folder.path() / pooled / name));
      REQUIRE(both.size() == a.size());
      REQUIRE(a.size() > 1);
      std::size_t compared = 0;
      for (std::size_t column = 0; column < a[0].size(); ++column) {
        REQUIRE(both[0][column] == a[0][column]);
        if (a[0][column] == "rows" || a[0][column].ends_with("_sd")) continue;
        for (std::size_t row = 1; row < a.size(); ++row) {
          const double mean = (*parse_number(a[row][column]) + *parse_number(b[row][column])) / 2;
          const double got = *parse_number(both[row][column]);
          if (std::isnan(mean) && std::isnan(got)) continue;  // the law was not asked for
          ++compared;
          if (got != Approx(mean).epsilon(1e-12)) FAIL(pooled << ' ' << a[0][column] << ' ' << got << " for " << mean);
        }
      }
      CHECK(compared > a.size());
    }
  }

  const Table windows = parse_csv(content(folder.path() / "texts" / "figure2a.csv"),
                                  figure2_columns(WindowCount::several), "figure2a.csv");
  CHECK(windows.numbers("distance_ci_low")[0] < windows.numbers("distance")[0]);
  const auto rows = cells(content(folder.path() / "windows" / "windows.csv"));
  CHECK(rows.back()[2] == "32");  // the second window's first token
  const nlohmann::json record = nlohmann::json::parse(content(folder.path() / "windows" / "run.json"));
  CHECK(record.at("windows") == nlohmann::json{{"of_each_text", 2}, {"asked", 2}, {"done", 2}});
  REQUIRE(record.at("texts").size() == 1);
  CHECK(record.at("texts").at(0).at("tokens") == 70);
  CHECK(record.at("texts").at(0).at("sha256").get<std::string>().size() == 64);
  CHECK_FALSE(record.contains("interrupted"));
}

TEST_CASE("windows that the text does not have are refused with how many it has") {
  const TemporaryFolder folder;
  write_file(folder / "short", words(100));
  write_file(folder / "shorter", words(64));
  const auto refused = [&](std::vector<std::string> arguments, int status, const std::string& text) {
    arguments.insert(arguments.begin(), {"reproduce", "--length", "32"});
    arguments.insert(arguments.end(), {"-o", folder / "out"});
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK(outcome.err.find(text) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "out" / "heads.csv"));
  };
  refused({"--text", folder / "short", "--windows", "4"}, 3, "3 windows of 32; 4 are asked");
  refused({"--text", folder / "short", folder / "shorter", "--windows", "3"}, 3, "shorter");
  refused({"--text", folder / "short", "--windows", "18446744073709551615"}, 3, "3 windows of 32");
  refused({"--text", folder / "short", folder / "none"}, 3, "none");
  refused({"--text", folder / "short", "--windows", "0"}, 2, "at least one window");
  refused({"--text", folder / "short", "--windows", "-1"}, 2, "not a whole number");
  refused({"--text", folder / "short", "--windows", "two"}, 2, "not a whole number");
  refused({"--text", folder / "short", "--text", folder / "short"}, 2, "given twice");
}

TEST_CASE("an interrupted run keeps the windows that were done and says how many") {
  const TemporaryFolder folder;
  constexpr std::size_t asked = 100;
  constexpr int heads = 144;
  write_file(folder / "text", words(asked * 32));
  OnTerminal program({"reproduce", "--text", folder / "text", "--length", "32", "--windows", std::to_string(asked),
                      "--figures", "2a,2c,3", "-o", folder / "out"});
  std::string output;
  bool sent = false;
  for (std::string part = program.read(); !part.empty(); part = program.read()) {
    output += part;
    const std::size_t line = output.rfind("headroom: ");
    int done = 0;
    if (sent || line == std::string::npos || std::sscanf(output.c_str() + line, "headroom: %d of", &done) != 1)
      continue;
    if (done <= heads) continue;
    program.interrupt();
    sent = true;
  }
  INFO(output);
  REQUIRE(program.exit_status() == 130);
  CHECK(output.find("of 14400 heads, ") != std::string::npos);
  CHECK(output.find(" left") != std::string::npos);
  CHECK(output.find("of 100 windows were done") != std::string::npos);
  for (const char* name : {"heads.csv", "windows.csv", "figure2a.csv", "figure2c.svg", "figure3.csv"}) {
    CHECK(std::filesystem::exists(folder.path() / "out" / name));
  }
  const nlohmann::json record = nlohmann::json::parse(content(folder.path() / "out" / "run.json"));
  CHECK(record.at("interrupted") == true);
  const std::size_t done = record.at("windows").at("done");
  CHECK((done >= 1 && done < asked));
  CHECK(cells(content(folder.path() / "out" / "windows.csv")).back()[0] == std::to_string(done - 1));
}
