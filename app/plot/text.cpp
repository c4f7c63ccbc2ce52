#include "app/plot/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace headroom::app::plot {
namespace {

constexpr unsigned char kFirst = 0x20;
// Advances of DejaVu Sans 2.37 in thousandths of the font size, U+0020 to U+007E (tables cmap and hmtx of the font).
constexpr std::array<std::uint16_t, 95> kAdvance = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
// What is not ASCII: letters of two bytes (Latin, Greek) and signs like ± are at most this wide, the rest a full
// square.
constexpr double kTwoByteAdvance = 850;
constexpr double kOtherAdvance = 1000;
constexpr double kEnDashAdvance = 500;
constexpr std::string_view kEnDash = "\xE2\x80\x93";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

std::size_t sequence_length(std::string_view utf8) {
  std::size_t length = 1;
  while (length < utf8.size() && (static_cast<unsigned char>(utf8[length]) & 0xC0U) == 0x80U) ++length;
  return length;
}

/// Each line takes as many words as fit.
std::vector<std::string> fill(std::string_view utf8, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  while (!utf8.empty()) {
    const std::size_t end = std::min(utf8.find(' '), utf8.size());
    const std::string word = elide(utf8.substr(0, end), size, width);
    utf8.remove_prefix(std::min(end + 1, utf8.size()));
    if (word.empty()) continue;
    const std::string longer = line.empty() ? word : line + ' ' + word;
    if (!line.empty() && plain_width(longer, size) > width) {
      lines.push_back(std::exchange(line, word));
    } else {
      line = longer;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

double widest_word(std::string_view utf8, double size) {
  double widest = 0;
  while (!utf8.empty()) {
    const std::size_t end = std::min(utf8.find(' '), utf8.size());
    widest = std::max(widest, plain_width(utf8.substr(0, end), size));
    utf8.remove_prefix(std::min(end + 1, utf8.size()));
  }
  return widest;
}

}  // namespace

RichText& RichText::operator+=(const RichText& other) {
  runs_.insert(runs_.end(), other.runs_.begin(), other.runs_.end());
  return *this;
}

std::string RichText::plain() const {
  std::string text;
  for (const Run& run : runs_) text += run.text;
  return text;
}

RichText variable(std::string name) { return RichText(Run{std::move(name), Run::Style::italic}); }
RichText superscript(std::string text) { return RichText(Run{std::move(text), Run::Style::superscript}); }
RichText subscript(std::string text) { return RichText(Run{std::move(text), Run::Style::subscript}); }

double plain_width(std::string_view utf8, double size) {
  double advance = 0;
  while (!utf8.empty()) {
    const std::size_t length = sequence_length(utf8);
    const unsigned char first = static_cast<unsigned char>(utf8.front());
    if (first >= kFirst && first < kFirst + kAdvance.size()) {
      advance += kAdvance[first - kFirst];
    } else {
      const bool en_dash = utf8.substr(0, length) == kEnDash;
      advance += en_dash ? kEnDashAdvance : length == 2 ? kTwoByteAdvance : kOtherAdvance;
    }
    utf8.remove_prefix(length);
  }
  return advance * size / 1000;
}

double text_width(const RichText& text, double size) {
  double width = 0;
  for (const Run& run : text.runs()) {
    const bool script = run.style == Run::Style::superscript || run.style == Run::Style::subscript;
    width += plain_width(run.text, script ? size * kScriptSize : size);
  }
  return width;
}

std::string elide(std::string_view utf8, double size, double width) {
  if (plain_width(utf8, size) <= width) return std::string(utf8);
  std::size_t kept = 0;
  while (kept < utf8.size()) {
    const std::size_t next = kept + sequence_length(utf8.substr(kept));
    if (plain_width(utf8.substr(0, next), size) + plain_width(kEllipsis, size) > width) break;
    kept = next;
  }
  return std::string(utf8.substr(0, kept)) + std::string(kEllipsis);
}

std::vector<std::string> wrap(std::string_view utf8, double size, double width) {
  std::vector<std::string> lines = fill(utf8, size, width);
  // Narrower lines, as long as there are no more of them, leave no single word on the last.
  double narrower = width;
  while (lines.size() > 1) {
    narrower -= size / 2;
    std::vector<std::string> balanced = fill(utf8, size, narrower);
    if (balanced.size() > lines.size() || widest_word(utf8, size) > narrower) break;
    lines = std::move(balanced);
  }
  return lines;
}

}  // namespace headroom::app::plot
