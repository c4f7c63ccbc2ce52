#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/table.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace headroom::app {

struct SqliteColumn {
  std::string name;
  std::string type;  ///< INTEGER, REAL or TEXT
};

/// A new SQLite database of one table. It appears under its name only when complete; a file that stood there is
/// replaced. Infinite numbers are kept; NaN, which SQLite has not, becomes NULL. Errors are Error(Fault::input) naming
/// the file.
class SqliteFile {
 public:
  SqliteFile(std::filesystem::path file, const std::string& table, const std::vector<SqliteColumn>& columns);
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;
  ~SqliteFile();

  /// One cell per column.
  void add(const std::vector<Cell>& row);
  /// Makes the file appear; at most once, and nothing can be added afterwards.
  void commit();

 private:
  void run(const std::string& statement);
  void check(int result) const;
  void close() noexcept;

  std::filesystem::path file_;
  std::filesystem::path temporary_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace headroom::app
