#include "model/word_split.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>
#include <string>

#include "core/error.hpp"

namespace headroom::model {
namespace {

/// GPT-2's pattern with an explicit class for space: PCRE2's own \s is another set of characters. The quantifiers are
/// possessive wherever giving back could not help, so that a match needs no stack however long it is.
std::string pattern() {
  const std::string space = R"(\x09-\x0d\x20\x85\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
  const std::string other = "[^" + space + R"(\p{L}\p{N}])";
  return R"('(?:[stmd]|re|ve|ll)| ?+\p{L}++| ?+\p{N}++| ?+)" + other + "++|[" + space + "]+(?![^" + space + "])|[" +
         space + "]++";
}

[[noreturn]] void fail(int error) {
  std::array<PCRE2_UCHAR, 256> message = {};
  pcre2_get_error_message(error, message.data(), message.size());
  throw_input("cannot split a text into words: " + std::string(reinterpret_cast<const char*>(message.data())), "PCRE2",
              "install PCRE2 10.40 or later with Unicode support");
}

}  // namespace

WordPattern::WordPattern() {
  const std::string text = pattern();
  int error = 0;
  PCRE2_SIZE offset = 0;
  // Every character starts a word, so a match anchored where the last one ended is all there is to find.
  pcre2_code* const code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                         PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &error, &offset, nullptr);
  if (code == nullptr) fail(error);
  code_ = std::shared_ptr<pcre2_code>(code, pcre2_code_free);
  // Where there is no just-in-time compiler the interpreter finds the same words.
  static_cast<void>(pcre2_jit_compile(code, PCRE2_JIT_COMPLETE));
}

Words::Words(const WordPattern& pattern, std::string_view text)
    : pattern_(pattern), text_(text), match_(pcre2_match_data_create(1, nullptr)) {
  if (!match_) throw std::bad_alloc();
}

void Words::Free::operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }

std::string_view Words::next() {
  if (at_ == text_.size()) return {};
  const int found = pcre2_match(pattern_.code_.get(), reinterpret_cast<PCRE2_SPTR>(text_.data()), text_.size(), at_,
                                PCRE2_NO_UTF_CHECK, match_.get(), nullptr);
  if (found < 0) fail(found);
  const std::size_t begin = at_;
  at_ = pcre2_get_ovector_pointer(match_.get())[1];
  return text_.substr(begin, at_ - begin);
}

}  // namespace headroom::model
