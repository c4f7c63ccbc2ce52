#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/reproduce/grids.hpp"
#include "app/reproduce/head_record.hpp"
#include "app/reproduce/record_moments.hpp"
#include "app/table.hpp"

namespace headroom::app {

/// Which piece of which text a window is.
struct Window {
  std::size_t index = 0;  ///< from 0, through all texts
  std::string text;       ///< the file
  std::size_t first_token = 0;
};

/// Pools the records of one window after the other. The window is the unit of every interval: heads of one window read
/// the same words and are no independent observations of the text.
class WindowPool {
 public:
  explicit WindowPool(const Grids& grids, const FigureChoice& choice = {});

  /// @param heads the records of all heads, in the same order for every window
  void add(const Window& window, const std::vector<HeadRecord>& heads);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t heads() const { return per_head_.size(); }
  [[nodiscard]] const Grids& grids() const { return grids_; }

  /// Per head, the mean over windows; with one window its records, bit for bit.
  [[nodiscard]] std::vector<HeadRecord> means() const;

  /// Per head, the standard error of that mean, from the spread between windows. Infinite with one window.
  [[nodiscard]] std::vector<HeadRecord> standard_errors() const;

  /// The same for what the figures say of all heads together: for the means at every length, the standard error of the
  /// mean over heads (each window's mean over heads is one observation); for the sensitivity, that of the head with the
  /// largest mean.
  [[nodiscard]] HeadRecord standard_error_over_heads() const;

  /// Figure 2c's table of each window alone; empty when Figure 2c was not chosen.
  [[nodiscard]] const std::vector<Table>& critical_tables() const { return critical_; }

  /// windows.csv: window, text, first_token, length, top and the means over heads of every measure.
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  Grids grids_;
  bool critical_chosen_;
  std::size_t count_ = 0;
  std::vector<RecordMoments> per_head_;
  RecordMoments over_heads_;
  std::vector<Table> critical_;
  Table table_;
};

/// Half the width of the 95 % Student t interval of a mean over n ≥ 2 windows with this standard error:
/// t_{0.975, n−1}·standard_error.
[[nodiscard]] double interval_half_width(double standard_error, std::size_t windows);

}  // namespace headroom::app
