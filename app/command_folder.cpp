#include "app/command_folder.hpp"

#include <system_error>

#include "app/json_member.hpp"
#include "app/output.hpp"
#include "core/error.hpp"
#include "model/input_file.hpp"

namespace headroom::app {
namespace {

std::string without_version(const std::string& schema) { return schema.substr(0, schema.find('/')); }

}  // namespace

void create_command_folder(const std::filesystem::path& folder, const std::string& schema) {
  const std::filesystem::path record = folder / "run.json";
  std::error_code ignored;
  if (!folder.empty() && std::filesystem::exists(record, ignored)) {
    const std::string found = text_member(Json::parse(model::InputFile(record).content(), nullptr, false), "schema");
    if (without_version(found) != without_version(schema)) {
      throw_input("the folder belongs to something else" + (found.empty() ? "" : ", " + found), record.string(),
                  "name another folder with -o, or remove this one");
    }
  }
  create_output_folder(folder);
}

}  // namespace headroom::app
