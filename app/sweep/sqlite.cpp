#include "app/sweep/sqlite.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <utility>

#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

std::string identifier(const std::string& name) { return '"' + name + '"'; }

}  // namespace

SqliteFile::SqliteFile(fs::path file, const std::string& table, const std::vector<SqliteColumn>& columns)
    : file_(std::move(file)),
      temporary_(file_.parent_path() / (".headroom-" + std::to_string(::getpid()) + ".sqlite")) {
  try {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
    check(sqlite3_open_v2(temporary_.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr));
    // Nothing reads it before it is complete, so it needs no journal.
    run("PRAGMA journal_mode = OFF");
    std::string definition;
    std::string places;
    for (const SqliteColumn& column : columns) {
      definition += (definition.empty() ? "" : ", ") + identifier(column.name) + ' ' + column.type;
      places += places.empty() ? "?" : ", ?";
    }
    run("CREATE TABLE " + identifier(table) + " (" + definition + ")");
    run("BEGIN");
    const std::string insert = "INSERT INTO " + identifier(table) + " VALUES (" + places + ")";
    check(sqlite3_prepare_v2(database_, insert.c_str(), -1, &insert_, nullptr));
  } catch (...) {
    close();
    throw;
  }
}

SqliteFile::~SqliteFile() { close(); }

void SqliteFile::close() noexcept {
  sqlite3_finalize(std::exchange(insert_, nullptr));
  sqlite3_close(std::exchange(database_, nullptr));
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void SqliteFile::check(int result) const {
  if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
  throw_input(
      std::string("cannot write: ") + (database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(result)),
      file_.string(), "free some space, or name a file in another folder");
}

void SqliteFile::run(const std::string& statement) {
  check(sqlite3_exec(database_, statement.c_str(), nullptr, nullptr, nullptr));
}

void SqliteFile::add(const std::vector<Cell>& row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    const int place = static_cast<int>(k) + 1;
    if (const double* number = std::get_if<double>(&row[k])) {
      check(sqlite3_bind_double(insert_, place, *number));
    } else if (const std::string* text = std::get_if<std::string>(&row[k])) {
      check(sqlite3_bind_text(insert_, place, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT));
    } else {
      check(sqlite3_bind_null(insert_, place));
    }
  }
  check(sqlite3_step(insert_));
  check(sqlite3_reset(insert_));
}

void SqliteFile::commit() {
  run("COMMIT");
  sqlite3_finalize(std::exchange(insert_, nullptr));
  check(sqlite3_close(std::exchange(database_, nullptr)));
  std::error_code error;
  fs::rename(temporary_, file_, error);
  if (error) throw_input("cannot write: " + error.message(), file_.string(), "name a file in another folder");
  temporary_.clear();
}

}  // namespace headroom::app
