#include "app/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "app/output_closed.hpp"
#include "core/error.hpp"

namespace headroom::app {

void print_data(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw OutputClosed();
  throw_input(std::strerror(errno), "standard output", "make room, or redirect it elsewhere");
}

}  // namespace headroom::app
