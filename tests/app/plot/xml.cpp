#include "app/plot/xml.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace headroom::app::test {
namespace {

bool starts_with_entity(std::string_view text) {
  for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
    if (text.starts_with(entity)) return true;
  }
  const std::size_t digits = text.find_first_not_of("0123456789", 2);
  return text.starts_with("&#") && digits != std::string_view::npos && digits > 2 && text[digits] == ';';
}

bool text_is_clean(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || (text[i] == '&' && !starts_with_entity(text.substr(i)))) return false;
  }
  return true;
}

std::string attributes_fault(std::string_view rest) {
  std::set<std::string> seen;
  while (!rest.empty()) {
    if (rest.front() != ' ') return "no space before an attribute";
    rest.remove_prefix(1);
    const std::size_t equals = rest.find("=\"");
    if (equals == std::string_view::npos) return "an attribute without quoted value";
    const std::size_t end = rest.find('"', equals + 2);
    if (end == std::string_view::npos) return "an attribute that does not end";
    const std::string name(rest.substr(0, equals));
    for (const char c : name) {
      if (std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '-' && c != ':') return "attribute name " + name;
    }
    if (!seen.insert(name).second) return "the attribute " + name + " twice";
    if (!text_is_clean(rest.substr(equals + 2, end - equals - 2))) return "a bare < or & in " + name;
    rest.remove_prefix(end + 1);
  }
  return "";
}

}  // namespace

std::string xml_fault(std::string_view document) {
  constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  if (!document.starts_with(kDeclaration)) return "no declaration";
  document.remove_prefix(kDeclaration.size());
  std::vector<std::string> open;
  bool root_seen = false;
  while (!document.empty()) {
    const std::size_t start = std::min(document.find('<'), document.size());
    const std::string text(document.substr(0, start));
    if (!text_is_clean(text)) return "bad text: " + text;
    if (open.empty() && text.find_first_not_of('\n') != std::string::npos) return "text outside of the root";
    document.remove_prefix(start);
    if (document.empty()) break;
    const std::size_t end = document.find('>');
    if (end == std::string_view::npos) return "a tag that does not end";
    std::string_view tag = document.substr(1, end - 1);
    document.remove_prefix(end + 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes what is not open: " + std::string(tag);
      open.pop_back();
      continue;
    }
    if (open.empty() && root_seen) return "a second root";
    root_seen = true;
    const bool empty = tag.ends_with('/');
    if (empty) tag.remove_suffix(1);
    const std::string name(tag.substr(0, tag.find(' ')));
    if (const std::string fault = attributes_fault(tag.substr(name.size())); !fault.empty()) return name + ": " + fault;
    if (!empty) open.push_back(name);
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace headroom::app::test
