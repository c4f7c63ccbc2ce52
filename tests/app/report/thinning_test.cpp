#include "app/report/thinning.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace headroom::app;

namespace {

Table grid(std::size_t lengths, std::size_t tops) {
  Table table({{"length"}, {"top"}, {"value"}}, "grid.csv");
  for (std::size_t l = 0; l < lengths; ++l) {
    for (std::size_t n = 0; n < tops; ++n) {
      table.add({static_cast<double>(l), static_cast<double>(n), static_cast<double>(100 * l + n)});
    }
  }
  return table;
}

std::set<double> values(const Table& table, const std::string& column) {
  const std::vector<double> all = table.numbers(column);
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("a table that fits is left as it is") {
  const Thinned thin = thinned(grid(4, 5), {"length", "top"}, 60);
  CHECK(thin.table.rows() == 20);
  CHECK(thin.notes.empty());
}

TEST_CASE("thinning keeps whole lines of the grid with its ends, and says what it left out") {
  const Table table = grid(6, 33);
  const Thinned thin = thinned(table, {"length", "top"}, 200);
  CHECK(thin.table.rows() * 3 <= 200);
  CHECK(values(thin.table, "length") == values(table, "length"));
  const std::set<double> tops = values(thin.table, "top");
  CHECK((tops.contains(0) && tops.contains(32)));
  CHECK(thin.table.rows() == 6 * tops.size());
  REQUIRE(thin.notes.size() == 1);
  CHECK(thin.notes[0] == "grid.csv is too large for a page: 9 of its 33 values of top are shown, the file has all");
  const std::vector<double> length = thin.table.numbers("length");
  const std::vector<double> top = thin.table.numbers("top");
  const std::vector<double> value = thin.table.numbers("value");
  for (std::size_t i = 0; i < value.size(); ++i) CHECK(value[i] == 100 * length[i] + top[i]);
}

TEST_CASE("thinning ends where every axis has its two ends left") {
  const Thinned thin = thinned(grid(9, 9), {"length", "top"}, 1);
  CHECK(thin.table.rows() == 4);
}

TEST_CASE("rows are thinned while they come, to the same rows in whatever order they come") {
  const auto sampled = [](bool backwards) {
    std::vector<Cell> values;
    for (int i = 0; i < 40; ++i) values.emplace_back(static_cast<double>(i));
    GridSample sample({{"a", 0, values}, {"b", 1, values}}, 300);
    for (int k = 0; k < 1600; ++k) {
      const int at = backwards ? 1599 - k : k;
      sample.add({static_cast<double>(at / 40), static_cast<double>(at % 40), static_cast<double>(at)});
    }
    CHECK(sample.notes("it", "the folder").size() == 2);
    std::set<std::vector<Cell>> rows;
    for (std::vector<Cell>& row : sample.take_rows()) rows.insert(std::move(row));
    return rows;
  };
  const std::set<std::vector<Cell>> rows = sampled(false);
  CHECK(rows.size() <= 100);
  CHECK(rows.contains({39.0, 39.0, 1599.0}));
  CHECK(rows == sampled(true));
}

TEST_CASE("an axis of texts is left whole for as long as longer axes of numbers can be thinned") {
  std::vector<Cell> numbers;
  std::vector<Cell> texts;
  for (int i = 0; i < 20; ++i) numbers.emplace_back(static_cast<double>(i));
  for (int i = 0; i < 16; ++i) texts.emplace_back(std::string(1, static_cast<char>('a' + i)));
  GridSample sample({{"number", 0, numbers}, {"text", 1, texts}}, 240);
  for (const Cell& number : numbers) {
    for (const Cell& text : texts) sample.add({number, text});
  }
  CHECK(
      sample.notes("it", "the file") ==
      std::vector<std::string>{"it is too large for a page: 6 of its 20 values of number are shown, the file has all"});
  CHECK(sample.take_rows().size() == 96);
}
