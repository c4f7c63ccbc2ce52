#include "bench/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace headroom::bench {
namespace {

pid_t start(const std::string& command, int output, int unused) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, output);
  posix_spawn_file_actions_addclose(&actions, unused);
  // exec: the shell makes way, so that the resources are the command's own.
  std::string line = "exec " + command;
  std::array<std::string, 2> words = {"sh", "-c"};
  std::array<char*, 4> arguments = {words[0].data(), words[1].data(), line.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure == 0 ? child : -1;
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t got = 0; (got = read(from, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Child run_child(const std::string& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe for " + command);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = start(command, ends[1], ends[0]);
  close(ends[1]);
  Child result;
  if (child > 0) result.output = read_all(ends[0]);
  close(ends[0]);
  if (child < 0) throw std::runtime_error("cannot start " + command);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (status != 0) throw std::runtime_error(fmt::format("status {} of {}", WEXITSTATUS(status), command));
  result.processor_seconds = in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
  result.peak_mebibytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace headroom::bench
