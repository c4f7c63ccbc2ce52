#include "app/sweep/window_means.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/compare/candidate.hpp"
#include "app/compare/measure.hpp"
#include "app/compare/numbers.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

namespace headroom::app {
namespace {

const std::vector<std::string> match_names = {"none", "entropy", "max-weight"};
const std::vector<std::string> vector_names = {"embedding", "hidden", "value", "isotropic"};

std::size_t index_of(const std::string& value, const std::vector<std::string>& known, const char* what) {
  const auto at = std::find(known.begin(), known.end(), value);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  throw_usage(fmt::format("there is no {} '{}'", what, value), what, "did you mean " + nearest(value, known) + "?");
}

}  // namespace

WindowQuestion checked(WindowQuestion question, std::size_t length) {
  const Candidate candidate(question.normalizer);
  question.normalizer = candidate.name();
  index_of(question.vectors, vector_names, "vectors");
  const bool matched = index_of(question.match, match_names, "match") > 0;
  if (length < 2) throw_usage("the length must be at least 2", "length", "the paper takes 1024");
  for (const std::size_t top : question.tops) {
    if (top >= 1 && top < length) continue;
    throw_usage(fmt::format("N = {} does not leave both a selected and a non-selected token of {}", top, length), "top",
                fmt::format("1 <= N <= L - 1 = {}", length - 1));
  }
  if (!(question.temperature > 0)) {
    throw_usage(fmt::format("the temperature {} is not positive", question.temperature), "temperature", "T > 0");
  }
  if (matched && question.temperature != 1) {
    throw_usage("a temperature that is fitted cannot be given", "temperature", "match = \"none\", or leave it out");
  }
  if (matched && candidate.signed_weights()) {
    throw_usage("its weights can be negative and have no entropy to match", candidate.name(), "match = \"none\"");
  }
  return question;
}

const std::vector<std::string>& window_quantities() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"temperature"};
    for (const HeadNumber& number : head_numbers) all.emplace_back(number.name);
    return all;
  }();
  return names;
}

std::vector<std::vector<verify::Moments>> window_means(const model::Activations& activations,
                                                       const WindowQuestion& question) {
  CompareOptions options;
  options.normalizers = {question.normalizer};
  options.tops = question.tops;
  options.lengths = {activations.tokens()};
  options.match = static_cast<Match>(index_of(question.match, match_names, "match"));
  options.temperature = question.temperature;
  options.vectors = vector_kind(question.vectors);
  options.normalize = question.normalize;
  const std::vector<HeadComparison> heads = compare_heads(activations, options);
  std::vector<std::vector<verify::Moments>> means(question.tops.size(),
                                                  std::vector<verify::Moments>(window_quantities().size()));
  for (std::size_t top = 0; top < means.size(); ++top) {
    for (const HeadComparison& head : heads) {
      means[top][0].add(head.temperature);
      for (std::size_t k = 0; k < head_numbers.size(); ++k) {
        const double value = head_numbers[k].of(head.at_length.front(), top);
        if (!std::isnan(value)) means[top][k + 1].add(value);
      }
    }
  }
  return means;
}

}  // namespace headroom::app
