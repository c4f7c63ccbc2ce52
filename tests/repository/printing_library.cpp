// A library that does what a library must not: the symbol test has to find both.
#include <cstdio>
#include <cstdlib>

void print_and_exit() {
  std::puts("a library has no business here");
  std::exit(1);
}
