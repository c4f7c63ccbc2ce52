#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/statistics/moments.hpp"

namespace headroom::verify::sweep {

/// The values measured under one value of a kind's grouped key, e.g. at one N.
struct GroupValues {
  std::uint64_t group = 0;
  std::vector<std::pair<std::string, Moments>> values;
};

/// What is known of a cell after its first `trials` trials under a seed: the state of its sums, from which it can be
/// continued, trial by trial in order, to the bytes of a run in one go.
struct Record {
  std::string of;  ///< the cell's parameters without its trials; its hash is the cell's key
  std::uint64_t seed = 0;
  std::uint64_t trials = 0;
  std::vector<GroupValues> groups;
  std::vector<std::pair<std::string, std::string>> said;  ///< what is no number, e.g. a verdict
  std::string failure;  ///< why it could not be computed beyond these trials; its groups then hold no values

  [[nodiscard]] std::uint64_t cell() const;
};

/// A line of a shard, with its line end:
///
///   {"cell":"HASH","seed":S,"trials":n,"groups":[N,…],"of":"…","said":{…},"values":{"N":{"quantity":[count,mean,M2]}}
///    ,"check":"HASH"}
///
/// in one piece. Numbers read back as the same float64; M2 = Σ(x − mean)². The check is hash64 of everything before
/// `,"check"`: any change of a single byte is certain to show, for the hash of equally long texts is a bijection in
/// each byte.
[[nodiscard]] std::string record_line(const Record& record);

/// `{members}` as a checked line, where `members` is JSON without its braces.
[[nodiscard]] std::string checked_line(std::string_view members);

/// Whether a line (without line end) is complete and its check right.
[[nodiscard]] bool line_is_sound(std::string_view line);

/// The beginning of a sound record line, which is all that planning needs; read without building the whole.
struct RecordHead {
  std::uint64_t cell = 0;
  std::uint64_t seed = 0;
  std::uint64_t trials = 0;
  std::vector<std::uint64_t> groups;
  bool failed = false;
};
/// Nothing when the line is sound but no record of this version. Reuses the head's memory.
[[nodiscard]] bool read_head(std::string_view line, RecordHead& head);

/// The whole of a sound record line. Nothing when it is no record of this version.
[[nodiscard]] std::optional<Record> read_record(std::string_view line);

/// A hash as 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace headroom::verify::sweep
