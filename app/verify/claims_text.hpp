#pragma once

#include <string>

namespace headroom::app {

/// What `list claims` prints: id, kind, statement, source, assumptions and the grid of each preset.
[[nodiscard]] std::string claims_text();

/// The same for machines, schema headroom.list/1.
[[nodiscard]] std::string claims_json();

/// docs/claims.md, made from the claims and their expected verdicts.
[[nodiscard]] std::string claims_markdown();

}  // namespace headroom::app
