#include "model/tokenizer.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "core/error.hpp"
#include "model/text.hpp"

using headroom::Error;
using namespace headroom::model;

namespace {

const Tokenizer& bundled() {
  static const std::string folder = HEADROOM_SOURCE "/model/assets/gpt2-wp/";
  static const Tokenizer tokenizer = Tokenizer::load(folder + "vocab.json", folder + "merges.txt");
  return tokenizer;
}

}  // namespace

TEST_CASE("2,000 random texts encode as Python's regex module and plain merging encode them, and decode back") {
  std::ifstream stream(HEADROOM_SOURCE "/tests/model/fixtures/tokenizer.json");
  const nlohmann::json fixture = nlohmann::json::parse(stream);
  const auto& strings = fixture.at("strings");
  REQUIRE(strings.size() == 2000);
  std::string all;
  for (std::size_t at = 0; at < strings.size(); ++at) {
    const auto text = strings[at].get<std::string>();
    const std::vector<TokenId> ids = bundled().encode(text);
    if (ids != fixture.at("ids")[at].get<std::vector<TokenId>>())
      FAIL_CHECK("text " << at << ": " << strings[at].dump());
    if (bundled().decode(ids) != text) FAIL_CHECK("text " << at << " does not come back");
    all += text;
  }
  CHECK(bundled().decode(bundled().encode(all)) == all);
}

TEST_CASE("the bundled vocabulary fits the bundled model") {
  CHECK(bundled().vocabulary_size() == 4096);
  CHECK(bundled().end_of_text() == 4095);
}

TEST_CASE("War and Peace has the number of tokens the bundled model was trained on, and decodes back") {
  const std::filesystem::path book = HEADROOM_SHARED "/data/war_and_peace.txt";
  if (!std::filesystem::exists(book)) {
    WARN("skipped: no " << book);
    return;
  }
  const std::string text = read_text(book);
  const std::vector<TokenId> ids = bundled().encode(text);
  CHECK(ids.size() == 892116);
  CHECK(bundled().decode(ids) == text);
}

TEST_CASE("no token is added at either end, and a special token's spelling in a text is text") {
  CHECK(bundled().encode("").empty());
  CHECK(bundled().decode({}).empty());
  const std::vector<TokenId> ids = bundled().encode("<|endoftext|>");
  CHECK(ids.size() > 1);
  CHECK(bundled().decode(ids) == "<|endoftext|>");
  CHECK(bundled().decode(std::vector<TokenId>{4095}) == "<|endoftext|>");
}

TEST_CASE("a text that is not UTF-8 is refused by name and byte offset") {
  CHECK_THROWS_WITH(bundled().encode("good \xC3\xA9, bad \xC3", "letter.txt"),
                    Catch::Matchers::StartsWith("letter.txt: not UTF-8 at byte 13"));
  CHECK_THROWS_AS(bundled().encode("\xED\xA0\x80"), Error);
}

TEST_CASE("an id outside the vocabulary is refused by its place") {
  CHECK_THROWS_WITH(bundled().decode(std::vector<TokenId>{1, 4096}), Catch::Matchers::StartsWith("token 1: id 4096"));
  CHECK_THROWS_WITH(bundled().decode(std::vector<TokenId>{-1}), Catch::Matchers::StartsWith("token 0: id -1"));
}

TEST_CASE("a long run of one letter and a text without repeated words are encoded too") {
  const std::string run(1000000, 'a');
  CHECK(bundled().decode(bundled().encode(run)) == run);
  std::string distinct;
  for (int i = 0; i < 300000; ++i) distinct += std::to_string(i) + " ";
  CHECK(bundled().decode(bundled().encode(distinct)) == distinct);
}

TEST_CASE("tokenizer files that are missing or of another model are refused by name") {
  const std::string folder = HEADROOM_SOURCE "/model/assets/gpt2-wp/";
  CHECK_THROWS_WITH(Tokenizer::load(folder + "absent.json", folder + "merges.txt"),
                    Catch::Matchers::Contains("absent.json: no such file"));
  CHECK_THROWS_WITH(Tokenizer::load(folder + "merges.txt", folder + "merges.txt"),
                    Catch::Matchers::Contains("merges.txt:1: malformed JSON"));
  CHECK_THROWS_WITH(Tokenizer::load(folder + "vocab.json", folder + "vocab.json"),
                    Catch::Matchers::Contains("vocab.json:1: not two tokens"));
  CHECK_THROWS_WITH(Tokenizer::load(folder + "model.onnx", folder + "merges.txt"),
                    Catch::Matchers::Contains("model.onnx: not UTF-8"));
}
