#include "app/sweep/commands.hpp"

#include <fstream>

#include "app/output.hpp"
#include "catch.hpp"

namespace headroom::app::test {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

std::string write_grid(const TemporaryFolder& folder, const std::string& grid) {
  std::ofstream(folder / "grid.toml") << grid;
  return folder / "grid.toml";
}

Outcome run_sweep(const TemporaryFolder& folder, const std::string& grid, const std::string& out,
                  const std::vector<std::string>& more) {
  std::vector<std::string> all = {"sweep", write_grid(folder, grid), "-o", folder / out};
  all.insert(all.end(), more.begin(), more.end());
  return run(all);
}

std::string exported(const TemporaryFolder& folder, const std::string& out) {
  const Outcome outcome = run({"results", "export", folder / out, "--to", folder / (out + ".csv")});
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  return content(folder / (out + ".csv"));
}

}  // namespace headroom::app::test
