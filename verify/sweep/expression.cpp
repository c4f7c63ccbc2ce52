#include "verify/sweep/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::verify::sweep {

enum class Expression::Operation : std::uint8_t {
  number,
  number_name,
  word,
  word_name,
  either,
  both,
  negation,
  equal,
  unequal,
  same_word,
  other_word,
  less,
  at_most,
  more,
  at_least,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power,
  minus,
  least,
  largest,
  absolute,
  root,
  logarithm,
  binary_logarithm,
  exponential,
  whole_part,
};

// Recursive descent, one function per level of precedence.
class ExpressionReader {
 public:
  ExpressionReader(Expression& target, std::span<const Expression::Name> names) : target_(target), names_(names) {}

  void read() {
    if (text().size() > length_limit) fail(fmt::format("it is longer than {} characters", length_limit));
    const Part condition = either();
    skip_space();
    if (at_ != text().size()) fail(fmt::format("'{}' is not expected here", text().substr(at_)));
    if (condition.type != Type::truth) fail("it is no condition", "compare something, e.g. top >= length");
    target_.root_ = condition.node;
  }

 private:
  using Operation = Expression::Operation;
  enum class Type { number, word, truth };
  struct Part {
    std::uint32_t node;
    Type type;
  };
  // What evaluating it recursively may ask of the stack.
  static constexpr int depth_limit = 200;
  static constexpr std::size_t length_limit = 4000;

  // Counts the levels of nesting, which the stack has to hold.
  class Level {
   public:
    explicit Level(ExpressionReader& reader) : reader_(reader) {
      if (++reader_.depth_ > depth_limit) reader_.fail("it is nested too deeply");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --reader_.depth_; }

   private:
    ExpressionReader& reader_;
  };

  [[nodiscard]] const std::string& text() const { return target_.text_; }

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "see docs/sweeps.md") const {
    throw_usage(fmt::format("{} (character {})", problem, at_ + 1), fmt::format("the condition '{}'", text()), remedy);
  }

  void skip_space() {
    while (at_ < text().size() && std::isspace(static_cast<unsigned char>(text()[at_])) != 0) ++at_;
  }

  static bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  [[nodiscard]] bool takes(std::string_view symbol) {
    skip_space();
    if (std::string_view(text()).substr(at_, symbol.size()) != symbol) return false;
    const std::size_t end = at_ + symbol.size();
    if (word_character(symbol.back()) && end < text().size() && word_character(text()[end])) return false;
    at_ = end;
    return true;
  }

  Part node(Operation operation, Type type, std::uint32_t left, std::uint32_t right = 0) {
    target_.nodes_.push_back({operation, left, right});
    return {static_cast<std::uint32_t>(target_.nodes_.size() - 1), type};
  }

  Part need(Part part, Type type, const char* what) {
    if (part.type != type) fail(fmt::format("{} stands where {} cannot", name_of(part.type), what));
    return part;
  }
  static const char* name_of(Type type) {
    return type == Type::number ? "a number" : type == Type::word ? "a text" : "a condition";
  }

  Part either() {
    const Level level(*this);
    Part left = both();
    while (takes("or")) {
      need(left, Type::truth, "it");
      const Part right = need(both(), Type::truth, "it");
      left = node(Operation::either, Type::truth, left.node, right.node);
    }
    return left;
  }

  Part both() {
    Part left = negation();
    while (takes("and")) {
      need(left, Type::truth, "it");
      const Part right = need(negation(), Type::truth, "it");
      left = node(Operation::both, Type::truth, left.node, right.node);
    }
    return left;
  }

  Part negation() {
    const Level level(*this);
    if (!takes("not")) return comparison();
    return node(Operation::negation, Type::truth, need(negation(), Type::truth, "it").node);
  }

  Part comparison() {
    static constexpr std::array<std::pair<std::string_view, Operation>, 6> signs = {{{"==", Operation::equal},
                                                                                     {"!=", Operation::unequal},
                                                                                     {"<=", Operation::at_most},
                                                                                     {">=", Operation::at_least},
                                                                                     {"<", Operation::less},
                                                                                     {">", Operation::more}}};
    const Part left = sum();
    for (const auto& [sign, operation] : signs) {
      if (!takes(sign)) continue;
      const Part right = sum();
      if (left.type != right.type) fail(fmt::format("{} is compared with {}", name_of(left.type), name_of(right.type)));
      if (left.type == Type::truth) fail("conditions are compared", "join them with and, or, not");
      if (left.type == Type::number) return node(operation, Type::truth, left.node, right.node);
      if (operation == Operation::equal) return node(Operation::same_word, Type::truth, left.node, right.node);
      if (operation == Operation::unequal) return node(Operation::other_word, Type::truth, left.node, right.node);
      fail("texts have no order", "compare them with == or !=");
    }
    return left;
  }

  Part binary(Operation operation, Part left, Part right) {
    need(left, Type::number, "it");
    need(right, Type::number, "it");
    return node(operation, Type::number, left.node, right.node);
  }

  Part sum() {
    Part left = product();
    while (true) {
      if (takes("+")) {
        left = binary(Operation::add, left, product());
      } else if (takes("-")) {
        left = binary(Operation::subtract, left, product());
      } else {
        return left;
      }
    }
  }

  Part product() {
    Part left = sign();
    while (true) {
      if (takes("*")) {
        left = binary(Operation::multiply, left, sign());
      } else if (takes("/")) {
        left = binary(Operation::divide, left, sign());
      } else if (takes("%")) {
        left = binary(Operation::remainder, left, sign());
      } else {
        return left;
      }
    }
  }

  Part sign() {
    const Level level(*this);
    if (takes("-")) return node(Operation::minus, Type::number, need(sign(), Type::number, "it").node);
    const Part base = primary();
    return takes("^") ? binary(Operation::power, base, sign()) : base;
  }

  Part primary() {
    skip_space();
    if (at_ == text().size()) fail("it ends too early");
    const char c = text()[at_];
    if (takes("(")) {
      const Part inside = either();
      if (!takes(")")) fail("a closing parenthesis is missing");
      return inside;
    }
    if (c == '"' || c == '\'') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return constant();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return named();
    fail(fmt::format("'{}' is not expected here", c));
  }

  Part quoted(char quote) {
    const std::size_t end = text().find(quote, at_ + 1);
    if (end == std::string::npos) fail("a closing quote is missing");
    target_.words_.push_back(text().substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return node(Operation::word, Type::word, static_cast<std::uint32_t>(target_.words_.size() - 1));
  }

  Part constant() {
    double value = 0;
    const auto [end, error] = std::from_chars(text().data() + at_, text().data() + text().size(), value);
    if (error != std::errc()) fail("this is no number");
    at_ = static_cast<std::size_t>(end - text().data());
    target_.numbers_.push_back(value);
    return node(Operation::number, Type::number, static_cast<std::uint32_t>(target_.numbers_.size() - 1));
  }

  Part named() {
    const std::size_t begin = at_;
    while (at_ < text().size() && word_character(text()[at_])) ++at_;
    const std::string name = text().substr(begin, at_ - begin);
    skip_space();
    if (at_ < text().size() && text()[at_] == '(') return call(name);
    std::vector<std::string> known;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const auto place = static_cast<std::uint32_t>(k);
      known.push_back(names_[k].name);
      if (names_[k].name != name) continue;
      return names_[k].is_text ? node(Operation::word_name, Type::word, place)
                               : node(Operation::number_name, Type::number, place);
    }
    at_ = begin;
    fail(fmt::format("there is no '{}'", name), "did you mean " + nearest(name, known) + "?");
  }

  Part call(const std::string& name) {
    static const std::array<std::pair<std::string, Operation>, 8> functions = {{{"min", Operation::least},
                                                                                {"max", Operation::largest},
                                                                                {"abs", Operation::absolute},
                                                                                {"sqrt", Operation::root},
                                                                                {"log", Operation::logarithm},
                                                                                {"log2", Operation::binary_logarithm},
                                                                                {"exp", Operation::exponential},
                                                                                {"floor", Operation::whole_part}}};
    std::vector<std::string> known;
    for (const auto& [function, operation] : functions) {
      known.push_back(function);
      if (function != name) continue;
      ++at_;
      const Part first = need(sum(), Type::number, "it");
      Part second{0, Type::number};
      if (operation == Operation::least || operation == Operation::largest) {
        if (!takes(",")) fail(name + " takes two numbers");
        second = need(sum(), Type::number, "it");
      }
      if (!takes(")")) fail("a closing parenthesis is missing");
      return node(operation, Type::number, first.node, second.node);
    }
    fail(fmt::format("there is no function '{}'", name), "did you mean " + nearest(name, known) + "?");
  }

  Expression& target_;
  std::span<const Expression::Name> names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string text, std::span<const Name> names) : text_(std::move(text)) {
  ExpressionReader(*this, names).read();
}

bool Expression::holds(std::span<const Value> values) const { return number(root_, values) != 0; }

const std::string& Expression::word(std::uint32_t node, std::span<const Value> values) const {
  const Node& it = nodes_[node];
  return it.operation == Operation::word ? words_[it.left] : std::get<std::string>(values[it.left]);
}

double Expression::number(std::uint32_t node, std::span<const Value> values) const {
  const Node& it = nodes_[node];
  const auto left = [&] { return number(it.left, values); };
  const auto right = [&] { return number(it.right, values); };
  const auto truth = [](bool value) { return value ? 1.0 : 0.0; };
  switch (it.operation) {
    case Operation::number:
      return numbers_[it.left];
    case Operation::number_name:
      return std::get<double>(values[it.left]);
    case Operation::either:
      return truth(left() != 0 || right() != 0);
    case Operation::both:
      return truth(left() != 0 && right() != 0);
    case Operation::negation:
      return truth(left() == 0);
    case Operation::equal:
      return truth(left() == right());
    case Operation::unequal:
      return truth(left() != right());
    case Operation::same_word:
      return truth(word(it.left, values) == word(it.right, values));
    case Operation::other_word:
      return truth(word(it.left, values) != word(it.right, values));
    case Operation::less:
      return truth(left() < right());
    case Operation::at_most:
      return truth(left() <= right());
    case Operation::more:
      return truth(left() > right());
    case Operation::at_least:
      return truth(left() >= right());
    case Operation::add:
      return left() + right();
    case Operation::subtract:
      return left() - right();
    case Operation::multiply:
      return left() * right();
    case Operation::divide:
      return left() / right();
    case Operation::remainder:
      return std::fmod(left(), right());
    case Operation::power:
      return std::pow(left(), right());
    case Operation::minus:
      return -left();
    case Operation::least:
      return std::fmin(left(), right());
    case Operation::largest:
      return std::fmax(left(), right());
    case Operation::absolute:
      return std::abs(left());
    case Operation::root:
      return std::sqrt(left());
    case Operation::logarithm:
      return std::log(left());
    case Operation::binary_logarithm:
      return std::log2(left());
    case Operation::exponential:
      return std::exp(left());
    case Operation::whole_part:
      return std::floor(left());
    case Operation::word:
    case Operation::word_name:
      break;  // word() reads these
  }
  return 0;
}

}  // namespace headroom::verify::sweep
