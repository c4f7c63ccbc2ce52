#pragma once

#include "app/reproduce/windows.hpp"
#include "app/table.hpp"

namespace headroom::app {

// The tables of tables.hpp from the means over windows. With one window they are those tables; with more they have
// further columns: 95 % Student t intervals of the means over windows.

/// Adds `<measure>_ci_low` and `<measure>_ci_high` of the mean over heads. `_sd` stays the standard deviation over
/// heads (of their means over windows).
[[nodiscard]] Table figure2a_table(const WindowPool& pool);
[[nodiscard]] Table figure2b_table(const WindowPool& pool);

/// The critical N of the means over windows, beside the smallest and the largest among the windows tested one by one,
/// and how many of them have one.
[[nodiscard]] Table figure2c_table(const WindowPool& pool);

/// Adds the intervals of every head, and the mean over heads of the separable share at this N with its interval, the
/// same in all rows of an N.
[[nodiscard]] Table figure3_table(const WindowPool& pool);

/// The largest of the heads' means over windows, with the interval of the head that has it.
[[nodiscard]] Table figure4_table(const WindowPool& pool);

/// Adds `<measure>_se`, the standard error of the mean over windows; `rows` counts those of all windows.
[[nodiscard]] Table heads_table(const WindowPool& pool);

}  // namespace headroom::app
