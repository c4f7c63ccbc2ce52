#include "app/verify/counterexample_document.hpp"
#include "tests/fuzz/target.hpp"

using namespace headroom;  // NOLINT(google-build-using-namespace)

/// A file for `verify --replay`: every key that any claim reads.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::FileOfInput file("case.json");
  fuzz::loads([&] {
    const app::CounterexampleDocument document(file.hold(fuzz::text_of(data, size)));
    for (const char* key : {"claim", "normalizer"}) fuzz::loads([&] { (void)document.text(key); });
    for (const char* key : {"dim", "top"}) fuzz::loads([&] { (void)document.count(key); });
    for (const char* key : {"logits", "direction", "vectors"}) fuzz::loads([&] { (void)document.numbers(key); });
    for (const char* key : {"temperature", "epsilon", "observed", "bound"}) {
      fuzz::loads([&] { (void)document.number(key); });
    }
  });
  return 0;
}
