#include "app/bundled.hpp"

#include <cstdlib>
#include <system_error>

namespace headroom::app {

namespace fs = std::filesystem;

fs::path bundled_model() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "headroom" / "gpt2-wp";
  if (!error && fs::exists(installed, error)) return installed;
  return fs::path(HEADROOM_ASSETS) / "gpt2-wp";
}

fs::path bundled_text() {
  const char* folder = std::getenv("HEADROOM_DEPS");
  return fs::path(folder != nullptr && *folder != '\0' ? folder : "/opt/headroom") / "share" / "moby-dick.txt";
}

}  // namespace headroom::app
