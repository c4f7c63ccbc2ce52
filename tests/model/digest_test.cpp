#include "model/digest.hpp"

#include <fstream>

#include "catch.hpp"
#include "core/error.hpp"

using namespace headroom::model;

namespace {

std::string digest_of(const std::string& text) { return sha256(std::as_bytes(std::span(text))); }

}  // namespace

TEST_CASE("the digests are those published with the standard") {
  // NIST, Secure Hash Standard examples: no bytes, one block, two blocks, a million times "a".
  CHECK(digest_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest_of(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a file has the digest of its bytes, also when it is longer than a piece") {
  const std::string file = "headroom_digest_test.bin";
  for (const std::size_t size : {0U, 1U, 1048576U, 2500001U}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i % 251);
    std::ofstream(file, std::ios::binary) << bytes;
    CHECK(sha256_file(file) == digest_of(bytes));
  }
  std::filesystem::remove(file);
  CHECK_THROWS_AS(sha256_file(file), headroom::Error);
}
