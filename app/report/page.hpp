#pragma once

#include <string>

#include "app/json.hpp"
#include "app/report/assets.hpp"

namespace headroom::app {

/// A document as JSON that can stand inside an HTML script element whatever its strings hold: no '<' is left, so
/// neither "</script" nor "<!--" can end or change the element, and invalid UTF-8 became U+FFFD.
[[nodiscard]] std::string script_safe_json(const Json& document);

/// The Content-Security-Policy of a page made of these assets: nothing may be fetched, and no script or style may run
/// but those whose SHA-256 is named. Plotly writes its rules into an empty style element, which the hash of nothing
/// allows; pictures may come from data: and blob:, which "save as PNG" needs.
[[nodiscard]] std::string content_security_policy(const PageAssets& assets);

/// One self-contained HTML page that shows the document (see app/report/document.hpp).
[[nodiscard]] std::string report_page(const Json& document, const PageAssets& assets);

}  // namespace headroom::app
