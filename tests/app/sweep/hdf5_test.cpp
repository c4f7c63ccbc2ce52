#include "app/sweep/hdf5.hpp"

#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "app/run.hpp"
#include "app/sweep/commands.hpp"
#include "catch.hpp"
#include "core/error.hpp"

using namespace headroom::app;        // NOLINT(google-build-using-namespace)
using namespace headroom::app::test;  // NOLINT(google-build-using-namespace)

namespace {

/// A dataset as the library itself reads it.
template <class T>
std::vector<T> column(const std::string& file, const std::string& name, hid_t type, std::size_t each = 1) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(opened, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * each);
  CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(opened);
  return values;
}

std::vector<double> numbers(const std::string& file, const std::string& name) {
  return column<double>(file, name, H5T_NATIVE_DOUBLE);
}

std::vector<std::string> texts(const std::string& file, const std::string& name) {
  constexpr std::size_t longest = 64;
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, longest);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const std::vector<char> bytes = column<char>(file, name, type, longest);
  H5Tclose(type);
  std::vector<std::string> values;
  for (std::size_t at = 0; at < bytes.size(); at += longest) values.emplace_back(bytes.data() + at);
  return values;
}

}  // namespace

TEST_CASE("what an HDF5 file was given is read back, more rows than a chunk and cells without a value too") {
  const TemporaryFolder folder;
  const std::string path = folder / "out.h5";
  constexpr std::size_t rows = 40000;
  using Type = Hdf5Column::Type;
  Hdf5File file(path, "results", {{"whole", Type::whole}, {"number", Type::number}, {"text", Type::text, 4}});
  for (std::size_t k = 0; k < rows; ++k) {
    file.add({static_cast<double>(k), 1.0 / static_cast<double>(k), std::string(k % 5, 'x')});
  }
  file.add({{}, {}, {}});
  CHECK_FALSE(std::filesystem::exists(path));
  file.commit();
  const std::vector<std::int64_t> whole = column<std::int64_t>(path, "results/whole", H5T_NATIVE_INT64);
  const std::vector<double> number = numbers(path, "results/number");
  const std::vector<std::string> text = texts(path, "results/text");
  REQUIRE(whole.size() == rows + 1);
  REQUIRE(number.size() == rows + 1);
  REQUIRE(text.size() == rows + 1);
  bool same = true;
  for (std::size_t k = 0; k < rows; ++k) {
    same = same && whole[k] == static_cast<std::int64_t>(k) && number[k] == 1.0 / static_cast<double>(k) &&
           text[k] == std::string(k % 5, 'x');
  }
  CHECK(same);
  CHECK(whole[rows] == 0);
  CHECK(std::isnan(number[rows]));
  CHECK(text[rows].empty());
}

TEST_CASE("an HDF5 file that is not finished leaves nothing, and one that cannot be made names itself") {
  const TemporaryFolder folder;
  { Hdf5File file(folder / "out.h5", "results", {{"number"}}); }
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK_THROWS_WITH(Hdf5File(folder / "none/out.h5", "results", {{"number"}}), contains("none/out.h5"));
}

TEST_CASE("results come out as HDF5 with the values of the CSV") {
  const TemporaryFolder folder;
  REQUIRE(run_sweep(folder,
                    "trials = 20\n[axes]\nlength = [8, 16]\ntop = [1, 2]\nnormalizer = [\"softmax\", \"entmax\"]\n"
                    "[constants]\ndim = 3\n",
                    "out")
              .status == 0);
  (void)exported(folder, "out");
  const auto rows = csv_rows(folder / "out.csv");
  const std::string path = folder / "out.h5";
  REQUIRE(run({"results", "export", folder / "out", "--to", path}).status == 0);
  const std::vector<double> mean = numbers(path, "results/mean");
  const std::vector<double> length = numbers(path, "results/length");
  const std::vector<std::string> normalizer = texts(path, "results/normalizer");
  const std::vector<std::string> quantity = texts(path, "results/quantity");
  REQUIRE(mean.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(mean[k] == std::stod(rows[k].at("mean")));
    CHECK(length[k] == std::stod(rows[k].at("length")));
    CHECK(normalizer[k] == rows[k].at("normalizer"));
    CHECK(quantity[k] == rows[k].at("quantity"));
  }
}
