#include "app/report/short_names.hpp"

#include <algorithm>

#include "app/normalizer_choice.hpp"
#include "core/error.hpp"

namespace headroom::app {

std::string short_name(const std::string& text) {
  try {
    return short_spec(text);
  } catch (const Error&) {
    return text;
  }
}

Json short_names(const Table& table) {
  Json names = Json::object();
  for (const Column& column : table.columns()) {
    if (column.name != "normalizer" || column.kind != Column::Kind::text) continue;
    for (const std::string& text : table.texts(column.name)) {
      if (names.contains(text)) continue;
      std::string name = short_name(text);
      if (name != text) names[text] = std::move(name);
    }
  }
  return names;
}

}  // namespace headroom::app
