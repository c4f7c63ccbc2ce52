#include "sim/spec.hpp"

#include <array>
#include <vector>

#include "sim/logits.hpp"
#include "sim/normalizer.hpp"
#include "sim/random.hpp"
#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

/// A normalizer's spec and a logit model's, each applied to a short row.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::loads([&] {
    const auto normalizer = sim::make_normalizer(text);
    fuzz::require(sim::make_normalizer(normalizer->name())->name() == normalizer->name());
    std::array<double, 5> row = {0.5, -2.0, 30.0, 0.5, 1e-3};
    normalizer->weights(row, 1.5, row);
    (void)normalizer->jacobian(std::array<double, 3>{0.5, -2.0, 3.0}, 1.5);
  });
  fuzz::loads([&] {
    const auto logits = sim::make_logit_model(text, 4);
    sim::Stream stream(1, 2, 3);
    std::vector<double> row(8);
    logits->fill(stream, row);
  });
  return 0;
}
