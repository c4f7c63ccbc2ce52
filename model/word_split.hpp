#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace headroom::model {

/// GPT-2's split of a text into words, compiled once; any number of threads may read it.
///
/// A word is one of, in this order: an English contraction ('s 't 're 've 'm 'll 'd); an optional space and letters; an
/// optional space and numbers; an optional space and what is neither space, letter nor number; space up to the last
/// character before a non-space; any other space. Every character belongs to exactly one word.
///
/// Space is Unicode's White_Space, as in the regular-expression module that GPT-2's encoder was written with (so U+0085
/// and U+2029 are, U+001C to U+001F, U+180E and U+FEFF are not). Letters and numbers are the general categories L and N
/// of the Unicode version of the installed PCRE2 (14 for 10.40 to 10.42, 15 for 10.43): characters assigned later count
/// as neither.
/// Source: Radford et al., Language Models are Unsupervised Multitask Learners (2019), and its released encoder.
class WordPattern {
 public:
  WordPattern();

 private:
  friend class Words;
  std::shared_ptr<const pcre2_real_code_8> code_;
};

/// The words of one text in order. The text must be valid UTF-8 and outlive this.
class Words {
 public:
  Words(const WordPattern& pattern, std::string_view text);

  /// The next word; empty after the last.
  std::string_view next();

 private:
  WordPattern pattern_;
  std::string_view text_;
  std::size_t at_ = 0;
  struct Free {
    void operator()(pcre2_real_match_data_8* match) const;
  };
  std::unique_ptr<pcre2_real_match_data_8, Free> match_;
};

}  // namespace headroom::model
