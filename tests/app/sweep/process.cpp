#include "app/sweep/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace headroom::app::test {

Process::Process(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ != 0) return;
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

Process::~Process() {
  if (status_ >= 0 || pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  wait();
}

void Process::signal(int number) const { ::kill(pid_, number); }

int Process::wait() {
  if (status_ >= 0) return status_;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return status_;
}

int Process::wait_or_kill(std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  const auto running = [&] {
    siginfo_t ended = {};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
  };
  while (status_ < 0 && running()) {
    if (std::chrono::steady_clock::now() > until) {
      ::kill(pid_, SIGKILL);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return wait();
}

void in_parallel(std::uint64_t lanes, const std::function<void(std::uint64_t)>& lane) {
  std::vector<std::thread> threads;
  for (std::uint64_t k = 0; k < lanes; ++k) threads.emplace_back([&lane, k] { lane(k); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace headroom::app::test
