#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::app::test {

/// What is wrong with an XML document of the kind the writer makes (no CDATA, comments or DTD), or nothing: tags that
/// nest, one root, quoted attributes that occur once, no bare '<' or '&', only the five named and numeric entities.
[[nodiscard]] std::string xml_fault(std::string_view document);

}  // namespace headroom::app::test
