#include <cstdlib>
#include <string>

#include "app/run.hpp"
#include "catch.hpp"
#include "sim/vector_target.hpp"

using namespace headroom::app;  // NOLINT(google-build-using-namespace)
using test::Outcome;
using test::run;

namespace {

Outcome list_targets_with(const std::string& forced) {
  setenv("HEADROOM_TARGET", forced.c_str(), 1);
  Outcome outcome = run({"list", "targets"});
  unsetenv("HEADROOM_TARGET");
  return outcome;
}

}  // namespace

TEST_CASE("HEADROOM_TARGET forces each vector target of this machine, and the program says which it uses") {
  for (const std::string& name : headroom::sim::vector_targets()) {
    const Outcome outcome = list_targets_with(name);
    CHECK(outcome.status == 0);
    CHECK(outcome.out == name + " (in use)\n");
    CHECK(headroom::sim::vector_target() == name);
  }
}

TEST_CASE("a HEADROOM_TARGET that is not there is wrong usage, and the message has those that are") {
  const Outcome outcome = list_targets_with("AVX5");
  CHECK(outcome.status == 2);
  for (const std::string& name : headroom::sim::vector_targets()) CHECK_THAT(outcome.err, contains(name));
  CHECK_THAT(outcome.err, contains("HEADROOM_TARGET") && contains("AVX5"));
}
