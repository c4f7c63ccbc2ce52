#include "app/reproduce/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <string_view>

#include "app/head_logits.hpp"
#include "app/output.hpp"
#include "core/error.hpp"
#include "model/npy_write.hpp"

namespace headroom::app {
namespace {

bool read_number(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<HeadName> parse_heads(const std::vector<std::string>& names) {
  std::vector<HeadName> heads;
  for (const std::string_view name : names) {
    const std::size_t point = std::min(name.find('.'), name.size());
    HeadName head;
    if (point == name.size() || !read_number(name.substr(0, point), head.layer) ||
        !read_number(name.substr(point + 1), head.head)) {
      throw_usage(fmt::format("'{}' is no head", name), "--record", "give LAYER.HEAD, both from 0, as in 2.5,7.11");
    }
    heads.push_back(head);
  }
  return heads;
}

void record_heads(const model::Activations& activations, const std::vector<HeadName>& heads,
                  const std::filesystem::path& path) {
  static_assert(std::endian::native == std::endian::little, "the elements are written as they lie in memory");
  for (const HeadName& name : heads) {
    if (name.layer < activations.layers() && name.head < activations.heads(name.layer)) continue;
    throw_usage(
        fmt::format("the model has no head {}.{}", name.layer, name.head), "--record",
        fmt::format("layers go from 0 to {}; headroom inspect lists them with their heads", activations.layers() - 1));
  }
  const std::size_t tokens = activations.tokens();
  OutputFile file(path);
  file.write(model::npy_front(std::array{heads.size(), tokens, tokens}, model::NpyFloat::float32));
  HeadLogits logits;
  std::vector<float> row(tokens);
  for (const HeadName& name : heads) {
    logits.load(activations, name.layer, name.head);
    for (std::size_t query = 0; query < tokens; ++query) {
      const Visibility::Range range = logits.visibility().range(query);
      std::fill(row.begin(), row.end(), -std::numeric_limits<float>::infinity());
      std::copy_n(logits.view().row_data(query) + range.begin, range.size(),
                  row.begin() + static_cast<std::ptrdiff_t>(range.begin));
      file.write({reinterpret_cast<const char*>(row.data()), tokens * sizeof(float)});
    }
  }
  file.commit();
}

}  // namespace headroom::app
