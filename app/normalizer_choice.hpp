#pragma once

#include <span>
#include <string>
#include <vector>

namespace headroom::app {

/// The normalizers named on the command line, as canonical specs in the order given: every piece is
/// `ID[:k=v,…][,ID[:k=v,…]…]`. A comma ends a spec unless what follows it is a further key of the same spec, a word
/// with
/// `=` and without `:`; so `softmax,ssmax:s=0.43,b=0.1,sparsemax` names three.
/// Throws usage errors for what Spec refuses, and for a normalizer given twice.
[[nodiscard]] std::vector<std::string> normalizer_specs(std::span<const std::string> pieces);

/// The spec without the keys that have their default, e.g. "entmax" for "entmax:alpha=1.5" and "ssmax:s=0.43" for
/// "ssmax:s=0.43,b=0": what tables show.
[[nodiscard]] std::string short_spec(const std::string& canonical);

/// A line that names those whose Jacobian has no largest norm, entmax and asentmax beyond α = 2, for the tables that
/// show norms; nothing where there are none.
[[nodiscard]] std::string unbounded_norm_note(std::span<const std::string> canonical);

}  // namespace headroom::app
