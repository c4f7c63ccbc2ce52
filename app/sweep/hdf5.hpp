#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/table.hpp"

namespace headroom::app {

struct Hdf5Column {
  enum class Type {
    whole,   ///< int64; 0 where a row has none
    number,  ///< float64; NaN where a row has none
    text,    ///< UTF-8 of fixed length, padded with zeros
  };
  std::string name;
  Type type = Type::number;
  std::size_t bytes = 1;  ///< of a text: the longest there is
};

/// A new HDF5 file with one group, in which every column is a dataset of one dimension, compressed in chunks. It
/// appears under its name only when complete; a file that stood there is replaced. Errors are Error(Fault::input)
/// naming the file.
class Hdf5File {
 public:
  Hdf5File(std::filesystem::path file, const std::string& group, std::vector<Hdf5Column> columns);
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File();

  /// One cell per column.
  void add(const std::vector<Cell>& row);
  /// Makes the file appear; at most once, and nothing can be added afterwards.
  void commit();

 private:
  struct Dataset;

  void flush();
  void close() noexcept;
  [[noreturn]] void fail() const;

  std::filesystem::path file_;
  std::filesystem::path temporary_;
  std::vector<Hdf5Column> columns_;
  std::vector<Dataset> datasets_;
  std::int64_t handle_ = -1;
  std::uint64_t written_ = 0;
  std::size_t waiting_ = 0;  // rows that are not written yet
};

}  // namespace headroom::app
