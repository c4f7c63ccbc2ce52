#pragma once

/// Each adds the benchmarks of one subject; the program runs them all.
namespace headroom::bench {

void add_row_pass();
void add_law();
void add_sensitivity();
void add_secular();
void add_ks();
void add_tokenizer();
void add_model();

}  // namespace headroom::bench
