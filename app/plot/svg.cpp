#include "app/plot/svg.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

namespace headroom::app::plot {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kFonts = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
constexpr double kRaise = 0.36;  // of the font size, for exponents; indices go down by half of it

/// Length of the valid UTF-8 sequence at the start that XML 1.0 can hold, 0 when there is none.
std::size_t xml_character(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned first = byte(0);
  if (first < 0x80U) return first >= 0x20U || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || bytes.size() < length) return 0;
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800U && code <= 0xDFFFU;
  const bool control = code >= 0x80U && code < 0xA0U;
  if (code < kSmallest[length] || code > 0x10FFFFU || surrogate || control || (code & 0xFFFEU) == 0xFFFEU) return 0;
  return length;
}

/// Two decimals are a hundredth of a point: below what any printer shows, and above what libraries disagree on.
std::string number(double value) {
  std::array<char, 64> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 2);
  std::string digits(text.data(), result.ptr);
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits == "-0" ? "0" : digits;
}

std::string hex(Colour colour) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = "#";
  for (unsigned shift = 24; shift > 0; shift -= 4) text += kDigits[(colour.rgb >> (shift - 4)) & 0xFU];
  return text;
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string text(" ");
  text.append(name).append("=\"").append(value).append("\"");
  return text;
}

std::string paint(const std::optional<Stroke>& stroke, const std::optional<Fill>& fill) {
  std::string text = attribute("fill", fill ? hex(fill->colour) : "none");
  if (fill && fill->opacity < 1) text += attribute("fill-opacity", number(fill->opacity));
  if (!stroke) return text;
  text += attribute("stroke", hex(stroke->colour)) + attribute("stroke-width", number(stroke->width));
  if (stroke->dash == Dash::dashed) text += attribute("stroke-dasharray", "4 2");
  if (stroke->dash == Dash::dotted) text += attribute("stroke-dasharray", "1 1.6");
  return text;
}

std::string markup(const Run& run, double size, double& raised) {
  const bool super = run.style == Run::Style::superscript;
  const bool sub = run.style == Run::Style::subscript;
  const double raise = super ? kRaise * size : sub ? -kRaise * size / 2 : 0;
  std::string attributes;
  if (run.style == Run::Style::italic) attributes += attribute("font-style", "italic");
  if (super || sub) attributes += attribute("font-size", number(size * kScriptSize));
  // dy moves everything that follows, so the next run has to move back.
  if (raise != raised) attributes += attribute("dy", number(raised - raise));
  raised = raise;
  if (attributes.empty()) return escape_xml(run.text);
  return "<tspan" + attributes + '>' + escape_xml(run.text) + "</tspan>";
}

struct Writer {
  std::string& out;

  void operator()(const Path& path) const {
    std::string points;
    for (const Point& p : path.points) {
      if (!points.empty()) points += ' ';
      points += number(p.x) + ',' + number(p.y);
    }
    out += path.closed ? "<polygon" : "<polyline";
    out += attribute("points", points) + paint(path.stroke, path.fill) + "/>\n";
  }

  void operator()(const Circle& circle) const {
    out += "<circle" + attribute("cx", number(circle.centre.x)) + attribute("cy", number(circle.centre.y)) +
           attribute("r", number(circle.radius)) + paint(circle.stroke, circle.fill) + "/>\n";
  }

  void operator()(const Text& text) const {
    const std::string x = number(text.at.x);
    const std::string y = number(text.at.y);
    out += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", number(text.size)) +
           attribute("fill", hex(text.colour));
    if (text.anchor == Text::Anchor::middle) out += attribute("text-anchor", "middle");
    if (text.anchor == Text::Anchor::end) out += attribute("text-anchor", "end");
    if (text.bold) out += attribute("font-weight", "bold");
    if (text.upwards) out += attribute("transform", "rotate(-90 " + x + ' ' + y + ')');
    if (text.halo) {
      out += attribute("stroke", hex(palette::paper)) + attribute("stroke-width", "2") +
             attribute("stroke-linejoin", "round") + attribute("paint-order", "stroke");
    }
    out += '>';
    double raised = 0;
    for (const Run& run : text.text.runs()) out += markup(run, text.size, raised);
    out += "</text>\n";
  }

  // A nested viewport cuts off like a clipPath, without an id that could meet another one in the same page.
  void operator()(const BeginClip& clip) const {
    const Rect& r = clip.rect;
    out += "<svg" + attribute("x", number(r.x)) + attribute("y", number(r.y)) + attribute("width", number(r.width)) +
           attribute("height", number(r.height)) + attribute("overflow", "hidden") +
           attribute("viewBox", number(r.x) + ' ' + number(r.y) + ' ' + number(r.width) + ' ' + number(r.height)) +
           ">\n";
  }

  void operator()(const EndClip&) const { out += "</svg>\n"; }
};

}  // namespace

std::string escape_xml(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = xml_character(bytes);
    switch (length == 1 ? bytes.front() : '\0') {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      case '\'':
        text += "&#39;";
        break;
      default:
        text += length == 0 ? kReplacement : bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string to_svg(const Drawing& drawing) {
  const std::string width = number(drawing.width);
  const std::string height = number(drawing.height);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"";
  out += attribute("width", width + "pt") + attribute("height", height + "pt") +
         attribute("viewBox", "0 0 " + width + ' ' + height) + attribute("role", "img") +
         attribute("font-family", kFonts) + attribute("stroke-linejoin", "round") + ">\n";
  out += "<title>" + escape_xml(drawing.title) + "</title>\n<desc>" + escape_xml(drawing.description) + "</desc>\n";
  out += "<rect" + attribute("width", width) + attribute("height", height) + attribute("fill", hex(palette::paper)) +
         "/>\n";
  for (const Shape& shape : drawing.shapes) std::visit(Writer{out}, shape);
  return out + "</svg>\n";
}

}  // namespace headroom::app::plot
