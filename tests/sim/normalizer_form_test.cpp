#include "sim/normalizer_form.hpp"

#include <cmath>
#include <string>

#include "catch.hpp"
#include "core/error.hpp"

using headroom::Error;
using headroom::sim::LengthScale;
using headroom::sim::NormalizerForm;
using headroom::sim::NormalizerKind;

TEST_CASE("ids that differ in constants alone mean one function") {
  for (const std::string spec : {"softmax", "ssmax:s=0.43", "logn", "power", "entmax:alpha=1", "asentmax:alpha=1"}) {
    CAPTURE(spec);
    CHECK(NormalizerForm::of(spec).kind == NormalizerKind::softmax);
  }
  const NormalizerForm sparsemax = NormalizerForm::of("sparsemax");
  CHECK(sparsemax.kind == NormalizerKind::entmax);
  CHECK(sparsemax.alpha == 2);
  CHECK(NormalizerForm::of("entmax").name == "entmax:alpha=1.5");
  CHECK_FALSE(NormalizerForm::of("sigmoid").bias.has_value());
  CHECK(NormalizerForm::of("sigmoid:b=-2").bias == -2);
}

TEST_CASE("the factor of the logits is what the list of normalizers says") {
  const auto factor = [](const std::string& spec, std::size_t n) {
    return static_cast<double>(NormalizerForm::of(spec).scale.of(n));
  };
  CHECK(factor("softmax", 100) == 1);
  CHECK(factor("ssmax:s=0.43,b=0.2", 100) == Approx(0.43 * std::log(100) + 0.2).epsilon(1e-15));
  CHECK(factor("ssmax", 1) == 0);
  CHECK(factor("logn", 512) == Approx(0.1603 * std::log(512)).epsilon(1e-15));
  CHECK(factor("asentmax:delta=1,beta=0.5,gamma=2", 99) == Approx(1 + 0.5 * std::pow(std::log(100), 2)).epsilon(1e-15));
  CHECK_FALSE(NormalizerForm::of("asentmax:beta=0").scale.varies());
}

TEST_CASE("values out of range are usage errors that name the key") {
  for (const std::string spec :
       {"entmax:alpha=0.99", "entmax:alpha=64.01", "asentmax:alpha=nan", "topk:k=0", "power:f=tanh", "sigmoid:b=x"}) {
    CAPTURE(spec);
    const std::string key = spec.substr(spec.find(':') + 1, spec.find('=') - spec.find(':') - 1);
    try {
      (void)NormalizerForm::of(spec);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.fault() == headroom::Fault::usage);
      CHECK_THAT(error.what(), contains(key));
    }
  }
}
