#include "app/normalizer_choice.hpp"

#include <algorithm>
#include <string_view>

#include "core/error.hpp"
#include "sim/normalizer.hpp"
#include "sim/normalizer_form.hpp"

namespace headroom::app {
namespace {

void split(std::string_view list, std::vector<std::string>& specs) {
  const std::size_t before = specs.size();
  for (;;) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    const bool further_key = word.find('=') != std::string_view::npos && word.find(':') == std::string_view::npos;
    if (further_key && specs.size() > before && specs.back().find(':') != std::string::npos) {
      (specs.back() += ',') += word;
    } else {
      specs.emplace_back(word);
    }
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<std::string> normalizer_specs(std::span<const std::string> pieces) {
  std::vector<std::string> words;
  for (const std::string& piece : pieces) split(piece, words);
  std::vector<std::string> specs;
  for (const std::string& word : words) {
    std::string name = sim::make_normalizer(word)->name();
    if (std::find(specs.begin(), specs.end(), name) != specs.end()) {
      throw_usage("the normalizer is given twice", name, "give it once");
    }
    specs.push_back(std::move(name));
  }
  return specs;
}

std::string short_spec(const std::string& canonical) {
  const sim::Spec spec(canonical, "normalizer", sim::normalizer_list());
  std::string text = spec.id();
  char separator = ':';
  for (const sim::EntryInfo& entry : sim::normalizer_list()) {
    if (entry.id != spec.id()) continue;
    for (const sim::KeyInfo& key : entry.keys) {
      const std::string& value = spec.text(key.name);
      if (value == key.default_value) continue;
      ((((text += separator) += key.name) += '=') += value);
      separator = ',';
    }
  }
  return text;
}

std::string unbounded_norm_note(std::span<const std::string> canonical) {
  std::string names;
  for (const std::string& spec : canonical) {
    if (sim::NormalizerForm::of(spec).alpha > 2) (names += names.empty() ? "" : ", ") += short_spec(spec);
  }
  return names.empty() ? ""
                       : "no bound on the norm, which a weight near 0 takes to any size (alpha > 2): " + names + "\n";
}

}  // namespace headroom::app
