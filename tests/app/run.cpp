#include "app/run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "app/output.hpp"
#include "app/program.hpp"
#include "model/npy_write.hpp"

namespace headroom::app::test {
namespace {

// Sends a file descriptor to a file for as long as it lives.
class Redirected {
 public:
  Redirected(int descriptor, const std::string& file) : descriptor_(descriptor), saved_(dup(descriptor)) {
    const int target = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(target, descriptor_);
    close(target);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  ~Redirected() {
    std::fflush(nullptr);
    dup2(saved_, descriptor_);
    close(saved_);
  }

 private:
  int descriptor_;
  int saved_;
};

}  // namespace

Outcome run(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  Outcome outcome;
  std::fflush(nullptr);
  {
    const Redirected out(STDOUT_FILENO, folder / "out");
    const Redirected err(STDERR_FILENO, folder / "err");
    outcome.status = run_program(arguments);
  }
  outcome.out = content(folder / "out");
  outcome.err = content(folder / "err");
  return outcome;
}

std::string sample_text() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "the cat sat on mat number " + std::to_string(i) + ". ";
  return text;
}

std::vector<std::map<std::string, std::string>> csv_rows(const std::filesystem::path& file) {
  std::istringstream lines(content(file));
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<std::string> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell);
    if (names.empty()) {
      names = values;
      continue;
    }
    values.resize(names.size());
    std::map<std::string, std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
  }
  return rows;
}

void write_array(const std::string& file, const std::vector<std::size_t>& shape, const std::vector<double>& values) {
  write_file(file, model::npy_bytes(shape, values));
}

}  // namespace headroom::app::test
