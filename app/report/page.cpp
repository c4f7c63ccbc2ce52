#include "app/report/page.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <string_view>

namespace headroom::app {
namespace {

std::string hash_source(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA256_DIGEST_LENGTH + 2) / 3) + 1> base64{};
  EVP_EncodeBlock(base64.data(), digest.data(), SHA256_DIGEST_LENGTH);
  return fmt::format("'sha256-{}'", reinterpret_cast<const char*>(base64.data()));
}

}  // namespace

std::string script_safe_json(const Json& document) {
  const std::string json = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string content_security_policy(const PageAssets& assets) {
  return fmt::format(
      "default-src 'none'; script-src {} {}; style-src {} {}; img-src data: blob:; base-uri 'none'; form-action 'none'",
      hash_source(assets.plotly), hash_source(assets.program), hash_source(assets.style), hash_source(""));
}

std::string report_page(const Json& document, const PageAssets& assets) {
  const std::string data = script_safe_json(document);
  std::string page;
  page.reserve(data.size() + assets.plotly.size() + assets.program.size() + assets.style.size() + 4096);
  page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + content_security_policy(assets) + "\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n";
  page += "<link rel=\"icon\" href=\"data:,\">\n<title>headroom report</title>\n<style>";
  page += assets.style;
  page += "</style>\n</head>\n<body>\n";
  page +=
      "<noscript>This report draws its plots with JavaScript, which is switched off here. Its data follow as JSON "
      "in the source of the page.</noscript>\n";
  page += "<script type=\"application/json\" id=\"report-data\">";
  page += data;
  page += "</script>\n<script>";
  page += assets.plotly;
  page += "</script>\n<script>";
  page += assets.program;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace headroom::app
