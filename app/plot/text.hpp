#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::app::plot {

/// A piece of a text set in one way.
struct Run {
  enum class Style { plain, italic, superscript, subscript };
  std::string text;  // as it reads: escaping is the writer's business
  Style style = Style::plain;
};

/// A line of text with italics, exponents and indices. Plain strings convert to it, so that no text of a user is ever
/// taken for markup.
class RichText {
 public:
  RichText() = default;
  RichText(std::string plain) : runs_{{std::move(plain), Run::Style::plain}} {}  // NOLINT(google-explicit-constructor)
  RichText(const char* plain) : RichText(std::string(plain)) {}                  // NOLINT(google-explicit-constructor)
  explicit RichText(Run run) : runs_{std::move(run)} {}

  RichText& operator+=(const RichText& other);
  friend RichText operator+(RichText left, const RichText& right) { return left += right; }

  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] bool empty() const { return runs_.empty(); }
  /// The characters alone.
  [[nodiscard]] std::string plain() const;

 private:
  std::vector<Run> runs_;
};

/// A variable: set in italics.
[[nodiscard]] RichText variable(std::string name);
[[nodiscard]] RichText superscript(std::string text);
[[nodiscard]] RichText subscript(std::string text);

/// Size of raised and lowered text beside the rest.
inline constexpr double kScriptSize = 0.72;

/// Width in the unit of `size` (the font size), from the advances of DejaVu Sans, the widest of the sans-serif fonts a
/// viewer is likely to have: a layout that holds with it holds with Helvetica and Arial. No font is read.
[[nodiscard]] double plain_width(std::string_view utf8, double size);
[[nodiscard]] double text_width(const RichText& text, double size);

/// The text, or as much of its beginning as fits `width` with an ellipsis; never cuts a UTF-8 sequence.
[[nodiscard]] std::string elide(std::string_view utf8, double size, double width);

/// As few lines as `width` allows, broken at spaces and of about equal length; a word wider than a line is elided.
[[nodiscard]] std::vector<std::string> wrap(std::string_view utf8, double size, double width);

}  // namespace headroom::app::plot
