#include "model/digest.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "model/input_file.hpp"

namespace headroom::model {
namespace {

class Sha256 {
 public:
  Sha256() { check(context_ ? EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) : 0); }

  void update(std::span<const std::byte> bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

  std::string hex() {
    std::array<unsigned char, 32> digest = {};
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : digest) {
      text += digits[byte >> 4U];
      text += digits[byte & 15U];
    }
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };

  // OpenSSL can refuse a digest by its configuration, so this is the environment's fault.
  static void check(int ok) {
    if (ok != 1) throw_input("SHA-256 is not available", "OpenSSL", "check its configuration (openssl.cnf)");
  }

  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

}  // namespace

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

std::string sha256_file(const std::filesystem::path& file) {
  InputFile input(file);
  Sha256 digest;
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), 1U << 20U)));
  for (std::uint64_t left = input.size(); left > 0;) {
    const auto part = std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size())));
    input.read(part);
    digest.update(part);
    left -= part.size();
  }
  return digest.hex();
}

}  // namespace headroom::model
