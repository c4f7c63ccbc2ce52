#include "model/vocabulary.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"
#include "model/text.hpp"

namespace headroom::model {
namespace {

using nlohmann::json;
using IdOf = std::unordered_map<std::string, TokenId>;

constexpr const char* fetch_again = "use the vocab.json and merges.txt that belong to the model";

/// A token as a message shows it: quoted, control characters escaped, cut when long.
std::string shown(std::string_view token) {
  constexpr std::size_t longest = 60;
  const std::string cut(token.substr(0, longest));
  return json(cut).dump(-1, ' ', false, json::error_handler_t::replace) + (token.size() > longest ? "…" : "");
}

std::string_view characters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string line_of(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return std::to_string(1 + std::count(text.begin(), end, '\n'));
}

/// Receives vocab.json piece by piece; whatever is not a flat object of ids ends in an exception.
class VocabReader : public nlohmann::json_sax<json> {
 public:
  VocabReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[nodiscard]] const IdOf& ids() const { return ids_; }

  bool start_object(std::size_t) override {
    if (inside_) refuse_value();
    inside_ = true;
    return true;
  }
  bool key(string_t& token) override {
    token_ = std::move(token);
    return true;
  }
  bool number_unsigned(number_unsigned_t id) override {
    if (!inside_) refuse_value();
    if (id > static_cast<number_unsigned_t>(std::numeric_limits<TokenId>::max())) refuse_value();
    if (!ids_.emplace(token_, static_cast<TokenId>(id)).second) {
      throw_input("token " + shown(token_) + " stands twice", name_, fetch_again);
    }
    return true;
  }
  bool end_object() override { return true; }
  bool null() override { refuse_value(); }
  bool boolean(bool) override { refuse_value(); }
  bool number_integer(number_integer_t) override { refuse_value(); }
  bool number_float(number_float_t, const string_t&) override { refuse_value(); }
  bool string(string_t&) override { refuse_value(); }
  bool binary(binary_t&) override { refuse_value(); }
  bool start_array(std::size_t) override { refuse_value(); }
  bool end_array() override { refuse_value(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw_input("malformed JSON at byte " + std::to_string(position == 0 ? 0 : position - 1),
                name_ + ":" + line_of(text_, position == 0 ? 0 : position - 1), fetch_again);
  }

 private:
  [[noreturn]] void refuse_value() const {
    if (!inside_) throw_input("not an object from tokens to ids", name_, fetch_again);
    throw_input("the id of token " + shown(token_) + " is not a whole number from 0 on", name_, fetch_again);
  }

  std::string_view text_;
  const std::string& name_;
  IdOf ids_;
  std::string token_;
  bool inside_ = false;
};

/// Spellings by id.
std::vector<std::string_view> by_id(const IdOf& ids, const std::string& name) {
  std::vector<std::string_view> spellings(ids.size());
  std::vector<bool> taken(ids.size(), false);
  for (const auto& [token, id] : ids) {
    const auto at = static_cast<std::size_t>(id);
    if (at >= ids.size()) {
      throw_input("token " + shown(token) + " has id " + std::to_string(id) + ", but there are only " +
                      std::to_string(ids.size()) + " tokens",
                  name, fetch_again);
    }
    if (taken[at]) {
      throw_input("tokens " + shown(std::min<std::string_view>(token, spellings[at])) + " and " +
                      shown(std::max<std::string_view>(token, spellings[at])) + " share id " + std::to_string(id),
                  name, fetch_again);
    }
    taken[at] = true;
    spellings[at] = token;
  }
  return spellings;
}

/// GPT-2's table: the characters U+0100 to U+0143, in order, spell the bytes that are no visible Latin-1 character; the
/// others spell themselves.
class ByteSpelling {
 public:
  ByteSpelling() {
    unsigned next = 256;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool visible = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
      character_[byte] = visible ? byte : next++;
    }
  }

  [[nodiscard]] std::string spell(unsigned byte) const {
    const unsigned code = character_[byte];
    if (code < 0x80) return {static_cast<char>(code)};
    return {static_cast<char>(0xC0U | code >> 6U), static_cast<char>(0x80U | (code & 0x3FU))};
  }

 private:
  std::array<unsigned, 256> character_ = {};
};

/// The bytes a spelling stands for; itself when it is not made of the characters that spell bytes.
std::string bytes_of(std::string_view spelling, const std::unordered_map<std::string_view, char>& byte_of) {
  std::string bytes;
  for (std::size_t at = 0; at < spelling.size();) {
    const std::size_t length = static_cast<unsigned char>(spelling[at]) < 0x80 ? 1 : 2;
    const auto found = byte_of.find(spelling.substr(at, length));
    if (found == byte_of.end()) return std::string(spelling);
    bytes += found->second;
    at += length;
  }
  return bytes;
}

std::vector<Merge> parse_merges(std::string_view text, const std::string& name, const IdOf& ids) {
  std::vector<Merge> merges;
  std::unordered_set<std::uint64_t> seen;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1 && line.starts_with("#version:")) continue;
    if (line.empty() && begin >= text.size()) break;

    const std::string place = name + ":" + std::to_string(number);
    const std::size_t space = line.find(' ');
    if (space == 0 || space == std::string_view::npos || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string_view::npos) {
      throw_input("not two tokens parted by one space: " + shown(line), place, fetch_again);
    }
    const auto id = [&](std::string token) {
      const auto found = ids.find(token);
      if (found == ids.end()) throw_input("token " + shown(token) + " is not in the vocabulary", place, fetch_again);
      return found->second;
    };
    const std::string left(line.substr(0, space));
    const std::string right(line.substr(space + 1));
    const Merge merge = {id(left), id(right), id(left + right)};
    const std::uint64_t pair = static_cast<std::uint64_t>(merge.left) << 32U | static_cast<std::uint32_t>(merge.right);
    if (!seen.insert(pair).second) {
      throw_input("a merge stands twice: " + shown(line), place, fetch_again);
    }
    merges.push_back(merge);
  }
  return merges;
}

}  // namespace

Vocabulary parse_vocabulary(std::span<const std::byte> vocab_json, const std::string& vocab_name,
                            std::span<const std::byte> merges_text, const std::string& merges_name) {
  const std::string_view vocab = characters(vocab_json);
  const std::string_view merges = characters(merges_text);
  require_utf8(vocab, vocab_name);
  require_utf8(merges, merges_name);

  VocabReader reader(vocab, vocab_name);
  json::sax_parse(vocab.begin(), vocab.end(), &reader);
  const IdOf& ids = reader.ids();
  const std::vector<std::string_view> spellings = by_id(ids, vocab_name);

  Vocabulary vocabulary;
  const ByteSpelling spelling;
  std::array<std::string, 256> spelled;
  std::unordered_map<std::string_view, char> byte_of;
  for (unsigned byte = 0; byte < 256; ++byte) {
    spelled[byte] = spelling.spell(byte);
    byte_of.emplace(spelled[byte], static_cast<char>(byte));
    const auto found = ids.find(spelled[byte]);
    if (found == ids.end()) {
      throw_input("byte " + std::to_string(byte) + " has no token (" + shown(spelled[byte]) + ")", vocab_name,
                  "use a byte-level vocabulary, as GPT-2's");
    }
    vocabulary.byte_tokens[byte] = found->second;
  }
  vocabulary.tokens.reserve(spellings.size());
  for (const std::string_view token : spellings) vocabulary.tokens.push_back(bytes_of(token, byte_of));
  vocabulary.merges = parse_merges(merges, merges_name, ids);
  if (const auto found = ids.find("<|endoftext|>"); found != ids.end()) vocabulary.end_of_text = found->second;
  return vocabulary;
}

}  // namespace headroom::model
