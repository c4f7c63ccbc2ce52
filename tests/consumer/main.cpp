#include <array>
#include <cstdio>
#include <string>

#include "core/nearest.hpp"

int main() {
  const std::array<std::string, 2> names = {"softmax", "sigmoid"};
  const std::string found = headroom::nearest("softmx", names);
  std::puts(found.c_str());
  return found == "softmax" ? 0 : 1;
}
