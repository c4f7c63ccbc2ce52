#include "model/vocabulary.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "core/error.hpp"

using headroom::Error;
using headroom::Fault;
using namespace headroom::model;
using nlohmann::json;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

Vocabulary parse(const std::string& vocab, const std::string& merges) {
  return parse_vocabulary(bytes_of(vocab), "vocab.json", bytes_of(merges), "merges.txt");
}

std::string utf8(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3FU))};
}

/// The 256 single-byte tokens, ids in the order of their characters, then those asked for.
json vocabulary_with(const std::vector<std::string>& more) {
  json vocab = json::object();
  const auto add = [&](const std::string& token) { vocab[token] = vocab.size(); };
  for (unsigned code = 33; code < 256 + 68; ++code) {
    if (code < 127 || (code > 160 && code != 173)) add(utf8(code));
  }
  for (const std::string& token : more) add(token);
  return vocab;
}

std::string refusal(const std::string& vocab, const std::string& merges) {
  try {
    static_cast<void>(parse(vocab, merges));
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::input);
    return error.what();
  }
  FAIL("parsed without an error");
  return {};
}

void check_refused(const std::string& vocab, const std::string& merges, const std::string& message) {
  CHECK_THAT(refusal(vocab, merges), Catch::Matchers::StartsWith(message));
}

}  // namespace

TEST_CASE("tokens are read as the bytes they stand for") {
  const Vocabulary vocabulary = parse(vocabulary_with({"\u0120the", "<|endoftext|>"}).dump(), "");
  REQUIRE(vocabulary.tokens.size() == 258);
  CHECK(vocabulary.tokens[256] == " the");
  CHECK(vocabulary.tokens[257] == "<|endoftext|>");
  CHECK(vocabulary.end_of_text == 257);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto id = static_cast<std::size_t>(vocabulary.byte_tokens[byte]);
    CHECK(vocabulary.tokens[id] == std::string(1, static_cast<char>(byte)));
  }
}

TEST_CASE("a token with a character that spells no byte stands for its spelling") {
  const Vocabulary vocabulary = parse(vocabulary_with({"\u4e2d!", "a b", ""}).dump(), "");
  CHECK(vocabulary.tokens[256] == "\u4e2d!");
  CHECK(vocabulary.tokens[257] == "a b");
  CHECK(vocabulary.tokens[258].empty());
  CHECK_FALSE(vocabulary.end_of_text);
}

TEST_CASE("merges are read in order, with or without a version line, with either line end") {
  const std::string vocab = vocabulary_with({"th", "the", "#version:x"}).dump();
  for (const std::string merges : {"#version: 0.2\nt h\nth e\n", "t h\nth e", "#version: 0.2\r\nt h\r\nth e\r\n"}) {
    const Vocabulary vocabulary = parse(vocab, merges);
    REQUIRE(vocabulary.merges.size() == 2);
    CHECK(vocabulary.merges[0].product == 256);
    CHECK(vocabulary.merges[1].left == 256);
    CHECK(vocabulary.merges[1].right == vocabulary.byte_tokens['e']);
    CHECK(vocabulary.merges[1].product == 257);
  }
}

TEST_CASE("a malformed vocab.json is refused by line or token") {
  check_refused("", "", "vocab.json:1: malformed JSON");
  check_refused("{\"a\": 0,\n\"b\" 1}", "", "vocab.json:2: malformed JSON");
  check_refused("{\"a\": 0} x", "", "vocab.json:1: malformed JSON");
  check_refused("{\"a\": 0", "", "vocab.json:1: malformed JSON");
  check_refused("{\"\\ud800\": 0}", "", "vocab.json:1: malformed JSON");
  check_refused("\xEF\xBB\xBF{\"a\": 99}", "", "vocab.json: token \"a\" has id 99");
  check_refused("{\"\xFF\": 0}", "", "vocab.json: not UTF-8 at byte 2");
  for (const std::string text : {"[]", "7", "\"a\"", "null", "-1", "1.5"}) {
    check_refused(text, "", "vocab.json: not an object from tokens to ids");
  }
  for (const std::string id :
       {"-1", "1.5", "null", "true", "\"1\"", "[1]", "{}", "2147483648", "1e3", "99999999999999999999"}) {
    check_refused("{\"a\": " + id + "}", "", "vocab.json: the id of token \"a\" is not a whole number");
  }
  check_refused(std::string(1000000, '['), "", "vocab.json: not an object");
  check_refused("{\"a\":" + std::string(1000000, '['), "", "vocab.json: the id of token \"a\"");
}

TEST_CASE("ids that are not 0 to n-1 once each are refused by token") {
  check_refused("{\"a\": 0, \"a\": 1}", "", "vocab.json: token \"a\" stands twice");
  check_refused("{\"a\": 1, \"b\": 1}", "", "vocab.json: tokens \"a\" and \"b\" share id 1");
  check_refused("{\"a\": 2, \"b\": 0}", "", "vocab.json: token \"a\" has id 2, but there are only 2");
  check_refused("{\"a\": 2147483647}", "", "vocab.json: token \"a\" has id 2147483647");
}

TEST_CASE("a vocabulary that cannot spell every byte is refused by the byte") {
  check_refused("{}", "", "vocab.json: byte 0 has no token (\"\u0100\")");
  check_refused("{\"a\": 0}", "", "vocab.json: byte 0 has no token");
}

TEST_CASE("malformed merges are refused by line") {
  const std::string vocab = vocabulary_with({"th", "the"}).dump();
  for (const std::string line : {"t", "t  h", " t h", "t h ", "t h e", "", "t\th"}) {
    check_refused(vocab, "#version: 0.2\nth e\n" + line + "\nt h\n",
                  "merges.txt:3: not two tokens parted by one space");
  }
  check_refused(vocab, "t h\n#version: 0.2\n", "merges.txt:2: token \"#version:\" is not in the vocabulary");
  check_refused(vocab, "t h\nth e\nt h\n", "merges.txt:3: a merge stands twice");
  check_refused(vocab, "h t\n", "merges.txt:1: token \"ht\" is not in the vocabulary");
  check_refused(vocab, "t h\nx\u4e2d y\n", "merges.txt:2: token \"x\u4e2d\" is not in the vocabulary");
  check_refused(vocab, "t h\nt \x80\n", "merges.txt: not UTF-8 at byte 6");
}

TEST_CASE("what a message quotes is short and safe to print") {
  const std::string message = refusal("{\"" + std::string(100000, 'x') + "\\u001b[31m\": -1}", "");
  CHECK(message.size() < 300);
  CHECK_THAT(refusal("{\"\\u001b[31m\": -1}", ""), Catch::Matchers::Contains("\\u001b[31m"));
}
