#include "core/error.hpp"

namespace headroom {
namespace {

std::string sentence(const std::string& problem, const std::string& place, const std::string& remedy) {
  std::string text = place.empty() ? problem : place + ": " + problem;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

}  // namespace

Error::Error(Fault fault, const std::string& problem, const std::string& place, const std::string& remedy)
    : std::runtime_error(sentence(problem, place, remedy)), fault_(fault) {}

void throw_usage(const std::string& problem, const std::string& place, const std::string& remedy) {
  throw Error(Fault::usage, problem, place, remedy);
}

void throw_input(const std::string& problem, const std::string& place, const std::string& remedy) {
  throw Error(Fault::input, problem, place, remedy);
}

}  // namespace headroom
