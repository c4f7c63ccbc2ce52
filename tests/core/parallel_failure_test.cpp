#include "core/parallel_failure.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

using headroom::ParallelFailure;

namespace {

std::string kept(const ParallelFailure& failure) {
  try {
    failure.rethrow();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("of several failures the first in the order of the work is kept, whichever happened first") {
  ParallelFailure failure;
  const auto fails = [&](std::size_t order) {
    failure.guard(order, [&] { throw std::runtime_error(std::to_string(order)); });
  };
  CHECK(kept(failure) == "nothing");
  fails(7);
  fails(3);
  fails(5);
  CHECK(failure.happened());
  CHECK(kept(failure) == "3");
}

TEST_CASE("work behind a failure is left out, and work before it is still done") {
  ParallelFailure failure;
  failure.guard(4, [] { throw std::runtime_error("4"); });
  int done = 0;
  failure.guard(4, [&] { ++done; });
  failure.guard(9, [&] { ++done; });
  CHECK(done == 0);
  failure.guard(1, [&] { ++done; });
  failure.guard([&] { ++done; });
  CHECK(done == 2);
}

TEST_CASE("threads that fail together leave the first failure in order") {
  for (int trial = 0; trial < 50; ++trial) {
    ParallelFailure failure;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&failure, t] {
        for (std::size_t order = t; order < 40; order += 4) {
          failure.guard(order, [&] {
            if (order >= 10) throw std::runtime_error(std::to_string(order));
          });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(kept(failure) == "10");
  }
}
