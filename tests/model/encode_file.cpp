// encode_file VOCAB_JSON MERGES_TXT TEXT: the ids of a text, one a line, for comparison with other encoders.
#include <cstdio>
#include <exception>

#include "model/text.hpp"
#include "model/tokenizer.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: encode_file VOCAB_JSON MERGES_TXT TEXT\n", stderr);
    return 2;
  }
  try {
    const auto tokenizer = headroom::model::Tokenizer::load(argv[1], argv[2]);
    for (const auto id : tokenizer.encode(headroom::model::read_text(argv[3]), argv[3])) std::printf("%d\n", id);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
