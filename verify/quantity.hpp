#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>

namespace headroom::verify {

/// What can be measured of one row of attention weights at one N. The names are the keys of every output.
/// Formulas and units: docs/quantities.md.
enum class Quantity : std::size_t {
  distance,               ///< D(I_N), eq. 7 of the paper
  distance_upper,         ///< thm1.fixed, printed
  distance_lower_sharp,   ///< thm1.fixed.sharp, clamped at 0 row by row
  distance_upper_sharp,   ///< thm1.fixed.sharp
  expected,               ///< E₀ of thm1.random
  expected_full,          ///< E₁: E₀ without the selection probability inside the norm
  expected_upper,         ///< thm1.random.sharp
  radius,                 ///< r = min over the non-selected of ‖s−y_j‖
  separable,              ///< N_s/N
  separable_lower,        ///< thm2.lower, printed
  separable_upper,        ///< thm2.upper, printed
  separable_lower_sharp,  ///< thm2.lower.sharp
  separable_law,          ///< the resolution law, unrefined
  xi_mean,                ///< mean of ξ_i over the selected
  mass,                   ///< ᾱ = Σ of the selected weights
  entropy,                ///< −Σ α log α, natural logarithm
  max_weight,             ///< largest weight
  jacobian_norm,          ///< ‖diag(α)−ααᵀ‖₂/T
};

inline constexpr std::size_t quantity_count = 18;

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, quantity_count> quantity_names = {"distance",
                                                                                "distance_upper",
                                                                                "distance_lower_sharp",
                                                                                "distance_upper_sharp",
                                                                                "expected",
                                                                                "expected_full",
                                                                                "expected_upper",
                                                                                "radius",
                                                                                "separable",
                                                                                "separable_lower",
                                                                                "separable_upper",
                                                                                "separable_lower_sharp",
                                                                                "separable_law",
                                                                                "xi_mean",
                                                                                "mass",
                                                                                "entropy",
                                                                                "max_weight",
                                                                                "jacobian_norm"};

[[nodiscard]] constexpr std::string_view name(Quantity quantity) {
  return quantity_names[static_cast<std::size_t>(quantity)];
}

[[nodiscard]] std::optional<Quantity> quantity_named(std::string_view name);

/// A set of quantities.
class QuantitySet {
 public:
  constexpr QuantitySet() = default;
  QuantitySet(std::initializer_list<Quantity> quantities) {
    for (Quantity q : quantities) bits_.set(static_cast<std::size_t>(q));
  }

  static QuantitySet all() {
    QuantitySet set;
    set.bits_.set();
    return set;
  }
  /// What one sweep over the tokens gives, without pairwise distances or integrals: the default of `simulate`.
  static QuantitySet cheap() {
    return {Quantity::distance, Quantity::expected, Quantity::expected_full, Quantity::separable,
            Quantity::radius,   Quantity::mass,     Quantity::entropy,       Quantity::max_weight};
  }

  [[nodiscard]] bool has(Quantity q) const { return bits_.test(static_cast<std::size_t>(q)); }
  [[nodiscard]] bool any_of(QuantitySet other) const { return (bits_ & other.bits_).any(); }
  [[nodiscard]] std::size_t size() const { return bits_.count(); }
  void insert(Quantity q) { bits_.set(static_cast<std::size_t>(q)); }
  void erase(Quantity q) { bits_.reset(static_cast<std::size_t>(q)); }
  [[nodiscard]] QuantitySet operator|(QuantitySet other) const {
    other.bits_ |= bits_;
    return other;
  }
  bool operator==(const QuantitySet&) const = default;

 private:
  std::bitset<quantity_count> bits_;
};

}  // namespace headroom::verify
