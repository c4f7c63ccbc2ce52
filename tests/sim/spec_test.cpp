#include "sim/spec.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "core/error.hpp"

using headroom::sim::EntryInfo;
using headroom::sim::Spec;

namespace {

const std::vector<EntryInfo> known = {
    {"gaussian", {{"sigma", "1", "standard deviation"}}, "", "", false},
    {"planted", {{"k", "4", "how many"}, {"m", "2", "by how much"}}, "", "", false},
    {"plain", {}, "", "", false},
    {"file", {{"path", "", "where"}}, "", "", true},
};

std::string failure(const std::string& text) {
  try {
    static_cast<void>(Spec(text, "logit model", known));
  } catch (const headroom::Error& error) {
    CHECK(error.fault() == headroom::Fault::usage);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("values given are kept and the others take their defaults") {
  const Spec spec("planted:m=-2.5e-1", "logit model", known);
  CHECK(spec.id() == "planted");
  CHECK(spec.number("m") == -0.25);
  CHECK(spec.count("k", 1) == 4);
  CHECK(spec.canonical() == "planted:k=4,m=-2.5e-1");
  CHECK(Spec("planted:m=2,k=4", "logit model", known).canonical() == Spec("planted", "logit model", known).canonical());
  CHECK(Spec("plain", "logit model", known).canonical() == "plain");
}

TEST_CASE("a path may hold anything, colons and commas too") {
  const Spec spec("file:/a:b,c=d", "logit model", known);
  CHECK(spec.text("path") == "/a:b,c=d");
  CHECK(spec.canonical() == "file:/a:b,c=d");
  CHECK(failure("file").find("file:PATH") != std::string::npos);
}

TEST_CASE("what is misspelt is answered with the nearest right name") {
  CHECK(failure("gausian").find("'gaussian'") != std::string::npos);
  CHECK(failure("").find("unknown logit model") != std::string::npos);
  CHECK(failure("gaussian:sigm=2").find("nearest is 'sigma'") != std::string::npos);
  CHECK(failure("plain:x=1").find("it has no keys") != std::string::npos);
}

TEST_CASE("half-written keys are errors") {
  CHECK(failure("planted:").find("nothing after the colon") != std::string::npos);
  CHECK(failure("planted:k").find("write k=4") != std::string::npos);
  CHECK(failure("planted:k=").find("has no value") != std::string::npos);
  CHECK(failure("planted:k=1,,m=2").find("unknown key ''") != std::string::npos);
  CHECK(failure("planted:k=1,k=2").find("given twice") != std::string::npos);
}

TEST_CASE("values that are no numbers say what is allowed") {
  const auto reason = [](const std::string& text, auto read) -> std::string {
    try {
      static_cast<void>(read(Spec(text, "logit model", known)));
    } catch (const headroom::Error& error) {
      return error.what();
    }
    return "no error";
  };
  for (const char* bad : {"1.5", "0", "-1", "x"}) {
    const std::string text = reason(std::string("planted:k=") + bad, [](const Spec& s) { return s.count("k", 1); });
    CHECK(text.find("it takes a whole number of at least 1") != std::string::npos);
  }
  for (const char* bad : {"one", "nan", "inf", "1x", "1e999", " 1"}) {
    const std::string text = reason(std::string("planted:m=") + bad, [](const Spec& s) { return s.number("m"); });
    CHECK(text.find("it takes a number") != std::string::npos);
  }
}
