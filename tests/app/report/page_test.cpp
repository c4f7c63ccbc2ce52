#include "app/report/page.hpp"

#include <string>

#include "catch.hpp"

using namespace headroom::app;

namespace {

const PageAssets small{"/* plotly */", "/* program */", "body {}"};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("no string of a result can end or open an element of the page") {
  const Json document = {{"name", "</script><script>alert(1)</script><!-- ]]> \" ' &"}, {"<b>", "<img src=x>"}};
  const std::string json = script_safe_json(document);
  CHECK(json.find('<') == std::string::npos);
  CHECK(Json::parse(json) == document);
  const std::string page = report_page(document, small);
  CHECK(count(page, "<script") == 3);
  CHECK(count(page, "</script") == 3);
  CHECK(count(page, "<!--") == 0);
}

TEST_CASE("names that are no UTF-8 come into the page as replacement characters") {
  CHECK(script_safe_json(Json{{"name", "a\xFF"}}) == "{\"name\":\"a\xEF\xBF\xBD\"}");
}

TEST_CASE("the policy names the hash of each script and style and allows nothing else to run or to be fetched") {
  const std::string policy = content_security_policy(small);
  CHECK(policy.starts_with("default-src 'none'; "));
  // openssl dgst -sha256 -binary | base64 of each
  CHECK(policy.find("script-src 'sha256-gDW6Y5ryg0vl5z2wnLgCRPMYDDiQavYvWxiSzwK587w=' ") != std::string::npos);
  CHECK(policy.find("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='") != std::string::npos);
  CHECK(policy.find("unsafe") == std::string::npos);
  CHECK(policy.find("http") == std::string::npos);
  CHECK(report_page(Json::object(), small).find("content=\"" + policy + "\"") != std::string::npos);
}
