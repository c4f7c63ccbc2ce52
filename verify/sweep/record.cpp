#include "verify/sweep/record.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/hash.hpp"

namespace headroom::verify::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view check_key = R"(,"check":")";
constexpr std::size_t hash_digits = 16;
constexpr std::size_t check_size = check_key.size() + hash_digits + 2;  // with "}

Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto& text = json.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

// Reads the fixed beginning of a record line.
class HeadReader {
 public:
  explicit HeadReader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool skip(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  [[nodiscard]] bool number(std::uint64_t& value, int base = 10) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value, base);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }

  // Past the closing quote of a text whose opening one has been read.
  [[nodiscard]] bool skip_text() {
    for (std::size_t k = 0; k < text_.size(); ++k) {
      if (text_[k] == '\\') {
        ++k;
      } else if (text_[k] == '"') {
        text_.remove_prefix(k + 1);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::uint64_t Record::cell() const { return sim::hash64(of); }

std::string checked_line(std::string_view members) {
  std::string line = "{";
  line += members;
  const std::uint64_t hash = sim::hash64(line);
  line += check_key;
  line += hash_text(hash);
  line += "\"}\n";
  return line;
}

bool line_is_sound(std::string_view line) {
  if (line.size() < check_size || !line.ends_with("\"}")) return false;
  const std::string_view body = line.substr(0, line.size() - check_size);
  const std::string_view tail = line.substr(body.size());
  return tail.starts_with(check_key) &&
         tail.substr(check_key.size(), hash_digits) == std::string_view(hash_text(sim::hash64(body)));
}

std::string record_line(const Record& record) {
  std::string members = fmt::format(R"("cell":"{}","seed":{},"trials":{},"groups":[)", hash_text(record.cell()),
                                    record.seed, record.trials);
  for (const GroupValues& group : record.groups) {
    members += fmt::format("{}{}", members.back() == '[' ? "" : ",", group.group);
  }
  members += R"(],"of":)" + Json(record.of).dump();
  if (!record.failure.empty()) {
    return checked_line(members + R"(,"failed":)" +
                        Json(record.failure).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  if (!record.said.empty()) {
    Json said = Json::object();
    for (const auto& [name, text] : record.said) said[name] = text;
    members += R"(,"said":)" + said.dump();
  }
  Json values = Json::object();
  for (const GroupValues& group : record.groups) {
    Json& of_group = values[std::to_string(group.group)] = Json::object();
    for (const auto& [name, moments] : group.values) {
      of_group[name] = {moments.count, number_json(moments.mean), number_json(moments.squared_deviations)};
    }
  }
  return checked_line(members + R"(,"values":)" + values.dump());
}

bool read_head(std::string_view line, RecordHead& head) {
  HeadReader reader(line);
  if (!reader.skip(R"({"cell":")") || !reader.number(head.cell, 16)) return false;
  if (!reader.skip(R"(","seed":)") || !reader.number(head.seed)) return false;
  if (!reader.skip(R"(,"trials":)") || !reader.number(head.trials)) return false;
  if (!reader.skip(R"(,"groups":[)")) return false;
  head.groups.clear();
  while (!reader.skip("]")) {
    std::uint64_t group = 0;
    if (!head.groups.empty() && !reader.skip(",")) return false;
    if (!reader.number(group)) return false;
    head.groups.push_back(group);
  }
  if (!reader.skip(R"(,"of":")") || !reader.skip_text()) return false;
  head.failed = reader.rest().starts_with(R"(,"failed":)");
  return true;
}

std::optional<Record> read_record(std::string_view line) {
  RecordHead head;
  if (!read_head(line, head)) return std::nullopt;
  try {
    const Json json = Json::parse(line);
    Record record;
    record.of = json.at("of").get<std::string>();
    record.seed = head.seed;
    record.trials = head.trials;
    if (record.cell() != head.cell) return std::nullopt;
    if (head.failed) record.failure = json.at("failed").get<std::string>();
    if (const auto said = json.find("said"); said != json.end()) {
      for (const auto& [name, text] : said->items()) record.said.emplace_back(name, text.get<std::string>());
    }
    for (const std::uint64_t group : head.groups) {
      GroupValues& of_group = record.groups.emplace_back(GroupValues{group, {}});
      if (head.failed) continue;
      for (const auto& [name, moments] : json.at("values").at(std::to_string(group)).items()) {
        of_group.values.emplace_back(
            name, Moments{moments.at(0).get<std::uint64_t>(), number_of(moments.at(1)), number_of(moments.at(2))});
      }
    }
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace headroom::verify::sweep
