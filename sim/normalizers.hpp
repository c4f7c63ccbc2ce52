#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "sim/normalizer.hpp"
#include "sim/normalizer_form.hpp"

namespace headroom::sim {

/// The normalizers behind make_normalizer, one function per form; NORMALIZERS in the documentation gives the formulas.
using NormalizerPointer = std::unique_ptr<const Normalizer>;

/// softmax(scale(n)·z): softmax, ssmax, logn.
NormalizerPointer make_scaled_softmax(std::string name, EmptyRow empty_row, const LengthScale& scale);
NormalizerPointer make_softmax1(std::string name, EmptyRow empty_row);
/// Softmax over the k largest.
NormalizerPointer make_top_k(std::string name, EmptyRow empty_row, std::size_t k);

NormalizerPointer make_self_adjust(std::string name, EmptyRow empty_row);
NormalizerPointer make_self_adjust_normalized(std::string name, EmptyRow empty_row);

/// 1/(1 + exp(−z − b)); without a bias, b = −log n.
NormalizerPointer make_sigmoid(std::string name, EmptyRow empty_row, std::optional<double> bias);

/// α-entmax of scale(n)·z for any α > 1: sparsemax, entmax, asentmax.
NormalizerPointer make_entmax(std::string name, EmptyRow empty_row, double alpha, const LengthScale& scale);

/// F(z_i)/ΣF.
NormalizerPointer make_power(std::string name, EmptyRow empty_row, PowerFunction function);

/// The normalizer of a form.
NormalizerPointer make_normalizer(const NormalizerForm& form, EmptyRow empty_row);

}  // namespace headroom::sim
