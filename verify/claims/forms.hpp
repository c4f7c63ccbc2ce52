#pragma once

#include <cmath>
#include <span>
#include <string>

namespace headroom::verify {

/// The functions F of `power` normalizers in any precision: exp, softplus, square (1+z²) and cosh. All are positive;
/// the last two have their minimum at 0, the others increase.
enum class Form { exp, softplus, square, cosh };

/// Of a normalizer "power:f=…"; softmax is exp.
[[nodiscard]] inline Form form_of(const std::string& normalizer) {
  if (normalizer.ends_with("softplus")) return Form::softplus;
  if (normalizer.ends_with("square")) return Form::square;
  return normalizer.ends_with("cosh") ? Form::cosh : Form::exp;
}

template <class Real>
[[nodiscard]] Real form_value(Form form, const Real& z) {
  using std::cosh;
  using std::exp;
  using std::log1p;
  switch (form) {
    case Form::softplus:
      return z > 0 ? Real(z + log1p(Real(exp(Real(-z))))) : Real(log1p(Real(exp(z))));
    case Form::square:
      return 1 + z * z;
    case Form::cosh:
      return cosh(z);
    case Form::exp:
      break;
  }
  return exp(z);
}

template <class Real>
[[nodiscard]] Real form_slope(Form form, const Real& z) {
  using std::exp;
  using std::sinh;
  switch (form) {
    case Form::softplus:
      return z > 0 ? Real(1 / (1 + exp(Real(-z)))) : Real(exp(z) / (1 + exp(z)));
    case Form::square:
      return 2 * z;
    case Form::cosh:
      return sinh(z);
    case Form::exp:
      break;
  }
  return exp(z);
}

/// The least F on [−a, a].
template <class Real>
[[nodiscard]] Real form_least(Form form, const Real& a) {
  return form_value(form, form == Form::exp || form == Form::softplus ? Real(-a) : Real(0));
}

}  // namespace headroom::verify
