#include "verify/sweep/claims_kind.hpp"

#include "verify/claims/registry.hpp"

namespace headroom::verify::sweep {
namespace {

enum Key : std::size_t {
  claim,
  length,
  dim,
  top,
  normalizer,
  logits,
  separation,
  shift,
  radius,
  heads,
  correlation,
  margin
};

ClaimChoice choice_at(std::span<const Value> point) {
  const auto number = [&](Key key) { return std::get<double>(point[key]); };
  const auto whole = [&](Key key) { return static_cast<std::size_t>(number(key)); };
  const auto text = [&](Key key) { return std::get<std::string>(point[key]); };
  ClaimChoice choice;
  choice.claim = claims_named({text(claim)}).front();
  choice.cell = {.head = {.length = whole(length),
                          .dim = whole(dim),
                          .logits = text(logits),
                          .normalizer = text(normalizer),
                          .separation = number(separation),
                          .shift = number(shift)},
                 .top = whole(top),
                 .radius = number(radius),
                 .heads = whole(heads),
                 .correlation = number(correlation),
                 .margin = number(margin)};
  choice.check();
  return choice;
}

}  // namespace

std::span<const GridKey> ClaimsKind::keys() const {
  using Type = GridKey::Type;
  static const std::vector<GridKey> keys = {
      {"claim", Type::text, {}, "of list claims"},
      {"length", Type::whole, {}, "L, tokens"},
      {"dim", Type::whole, 0.0, "d, dimension of the vectors"},
      {"top", Type::whole, 0.0, "N, tokens selected"},
      {"normalizer", Type::text, "", "of list normalizers; empty: the claim's own"},
      {"logits", Type::text, "", "of list logits; empty: gaussian"},
      {"separation", Type::number, 0.0, "smallest distance between two vectors"},
      {"shift", Type::number, 0.0, "a common part of all vectors"},
      {"radius", Type::number, 1.0, "r over the root mean square of ||s-y_i||"},
      {"heads", Type::whole, 1.0, "H, heads that cover the same tokens"},
      {"correlation", Type::number, 0.0, "of a token's ranks in two heads"},
      {"margin", Type::number, 1.0, "what one logit is ahead of the rest by"}};
  return keys;
}

Kind::Identity ClaimsKind::identify(std::span<const Value> point, std::span<const std::uint64_t>) const {
  const ClaimChoice choice = choice_at(point);
  return {choice.text(), choice.seconds()};
}

std::unique_ptr<CellWork> ClaimsKind::begin(std::span<const Value> point, std::span<const std::uint64_t>,
                                            std::uint64_t seed, const Record* saved) const {
  return std::make_unique<TrialWork>(claim_cell(choice_at(point)), seed, saved);
}

}  // namespace headroom::verify::sweep
