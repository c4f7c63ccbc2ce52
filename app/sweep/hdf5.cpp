#include "app/sweep/hdf5.hpp"

#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t kChunk = 16384;  // rows
constexpr unsigned kCompression = 1;

/// An identifier of the library, given back at the end. The library says that something failed by a negative one.
class Handle {
 public:
  Handle(hid_t id, herr_t (*give_back)(hid_t)) : id_(id), give_back_(give_back) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), give_back_(other.give_back_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) give_back_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  herr_t (*give_back_)(hid_t);
};

Handle type_of(const Hdf5Column& column) {
  if (column.type == Hdf5Column::Type::whole) return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
  if (column.type == Hdf5Column::Type::number) return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, column.bytes);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle make_dataset(hid_t group, const Hdf5Column& column, hid_t type) {
  const hsize_t none = 0;
  const hsize_t any = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(1, &none, &any), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties, 1, &kChunk);
  H5Pset_shuffle(properties);
  H5Pset_deflate(properties, kCompression);
  return {H5Dcreate2(group, column.name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose};
}

void append(std::vector<char>& bytes, const void* value, std::size_t count) {
  const auto* from = static_cast<const char*>(value);
  bytes.insert(bytes.end(), from, from + count);
}

}  // namespace

struct Hdf5File::Dataset {
  Handle type;
  Handle set;
  std::vector<char> waiting;
};

Hdf5File::Hdf5File(fs::path file, const std::string& group, std::vector<Hdf5Column> columns)
    : file_(std::move(file)),
      temporary_(file_.parent_path() / (".headroom-" + std::to_string(::getpid()) + ".h5")),
      columns_(std::move(columns)) {
  // The library would print its complaints.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  handle_ = H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const Handle made(handle_ < 0 ? -1 : H5Gcreate2(handle_, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Gclose);
  for (const Hdf5Column& column : columns_) {
    if (made < 0) break;
    Handle type = type_of(column);
    Handle set = make_dataset(made, column, type);
    if (set < 0) break;
    datasets_.push_back({std::move(type), std::move(set), {}});
  }
  if (datasets_.size() == columns_.size()) return;
  close();
  fail();
}

Hdf5File::~Hdf5File() { close(); }

void Hdf5File::fail() const {
  throw_input("cannot write the HDF5 file", file_.string(), "free some space, or name a file in another folder");
}

void Hdf5File::close() noexcept {
  datasets_.clear();
  if (handle_ >= 0) H5Fclose(std::exchange(handle_, -1));
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void Hdf5File::add(const std::vector<Cell>& row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::vector<char>& bytes = datasets_[k].waiting;
    const double* const number = std::get_if<double>(&row[k]);
    if (columns_[k].type == Hdf5Column::Type::whole) {
      const std::int64_t whole = number != nullptr ? std::llround(*number) : 0;
      append(bytes, &whole, sizeof whole);
    } else if (columns_[k].type == Hdf5Column::Type::number) {
      const double value = number != nullptr ? *number : std::nan("");
      append(bytes, &value, sizeof value);
    } else {
      const std::string* const text = std::get_if<std::string>(&row[k]);
      const std::size_t length = text != nullptr ? std::min(text->size(), columns_[k].bytes) : 0;
      if (length > 0) append(bytes, text->data(), length);
      bytes.resize(bytes.size() + columns_[k].bytes - length, '\0');
    }
  }
  if (++waiting_ == kChunk) flush();
}

void Hdf5File::flush() {
  if (waiting_ == 0) return;
  const hsize_t first = written_;
  const hsize_t count = waiting_;
  const hsize_t all = first + count;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Dataset& dataset = datasets_[k];
    if (H5Dset_extent(dataset.set, &all) < 0) fail();
    const Handle there(H5Dget_space(dataset.set), H5Sclose);
    const Handle here(H5Screate_simple(1, &count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(there, H5S_SELECT_SET, &first, nullptr, &count, nullptr) < 0) fail();
    if (H5Dwrite(dataset.set, dataset.type, here, there, H5P_DEFAULT, dataset.waiting.data()) < 0) fail();
    dataset.waiting.clear();
  }
  written_ = all;
  waiting_ = 0;
}

void Hdf5File::commit() {
  flush();
  for (const Dataset& dataset : datasets_) {
    if (H5Dflush(dataset.set) < 0) fail();
  }
  datasets_.clear();
  if (H5Fclose(std::exchange(handle_, -1)) < 0) fail();
  std::error_code error;
  fs::rename(temporary_, file_, error);
  if (error) throw_input("cannot write: " + error.message(), file_.string(), "name a file in another folder");
  temporary_.clear();
}

}  // namespace headroom::app
