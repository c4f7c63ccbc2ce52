#include "sim/spec.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::sim {
namespace {

std::string quoted(std::string_view text) {
  std::string result(1, '\'');
  result.append(text).push_back('\'');
  return result;
}

std::vector<std::string> ids(std::span<const EntryInfo> known) {
  std::vector<std::string> names;
  for (const EntryInfo& entry : known) names.push_back(entry.id);
  return names;
}

std::vector<std::string> key_names(const EntryInfo& entry) {
  std::vector<std::string> names;
  for (const KeyInfo& key : entry.keys) names.push_back(key.name);
  return names;
}

const EntryInfo& find(std::string_view id, const std::string& noun, std::span<const EntryInfo> known) {
  const auto it = std::find_if(known.begin(), known.end(), [&](const EntryInfo& entry) { return entry.id == id; });
  if (it == known.end()) {
    throw_usage("unknown " + noun + " " + quoted(id), "", "nearest is " + quoted(nearest(id, ids(known))));
  }
  return *it;
}

}  // namespace

Spec::Spec(std::string_view text, std::string noun, std::span<const EntryInfo> known) : noun_(std::move(noun)) {
  const std::size_t colon = text.find(':');
  const EntryInfo& entry = find(text.substr(0, colon), noun_, known);
  id_ = entry.id;
  path_ = entry.takes_path;
  for (const KeyInfo& key : entry.keys) values_.emplace_back(key.name, key.default_value);

  std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (path_) {
    if (rest.empty()) throw_usage("no path", noun_ + " " + id_, "write " + id_ + ":PATH");
    values_.front().second = rest;
    return;
  }
  if (colon != std::string_view::npos && rest.empty()) {
    throw_usage("nothing after the colon", noun_ + " " + quoted(text), "write " + id_ + " or " + id_ + ":key=value");
  }

  std::vector<std::string> given;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const std::size_t equals = item.find('=');
    const std::string name(item.substr(0, equals));
    const auto it =
        std::find_if(values_.begin(), values_.end(), [&](const auto& value) { return value.first == name; });
    if (it == values_.end()) {
      const std::string remedy =
          values_.empty() ? "it has no keys" : "nearest is " + quoted(nearest(name, key_names(entry)));
      throw_usage("unknown key " + quoted(name), noun_ + " " + id_, remedy);
    }
    if (equals == std::string_view::npos || equals + 1 == item.size()) {
      throw_usage("key " + quoted(name) + " has no value", noun_ + " " + id_, "write " + name + "=" + it->second);
    }
    if (std::find(given.begin(), given.end(), name) != given.end()) {
      throw_usage("key " + quoted(name) + " is given twice", noun_ + " " + id_, "give it once");
    }
    given.push_back(name);
    it->second = item.substr(equals + 1);
  }
}

std::string Spec::canonical() const {
  if (path_) return id_ + ":" + values_.front().second;
  std::string text = id_;
  char separator = ':';
  for (const auto& [name, value] : values_) {
    text += separator + name + "=" + value;
    separator = ',';
  }
  return text;
}

const std::string& Spec::text(std::string_view key) const {
  const auto it = std::find_if(values_.begin(), values_.end(), [&](const auto& value) { return value.first == key; });
  assert(it != values_.end());
  return it->second;
}

double Spec::number(std::string_view key) const {
  const std::string& value = text(key);
  double result = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (status != std::errc() || end != value.data() + value.size() || !std::isfinite(result)) reject(key, "a number");
  return result;
}

std::size_t Spec::count(std::string_view key, std::size_t least) const {
  const std::string& value = text(key);
  std::size_t result = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (status != std::errc() || end != value.data() + value.size() || result < least) {
    reject(key, "a whole number of at least " + std::to_string(least));
  }
  return result;
}

void Spec::reject(std::string_view key, const std::string& allowed) const {
  throw_usage(std::string(key) + " = " + quoted(text(key)) + " is not allowed", noun_ + " " + id_,
              "it takes " + allowed);
}

}  // namespace headroom::sim
