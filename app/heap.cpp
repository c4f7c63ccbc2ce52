#include "app/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headroom::app {

void prepare_heap() {
#ifdef __GLIBC__
  // Reserved, and in memory only where it is written to.
  constexpr int reserved = 256 << 20;
  // glibc takes no more than 32 MiB; larger blocks are mapped by themselves.
  constexpr int largest_in_heap = 30 << 20;
  constexpr int growth = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, largest_in_heap);
  ::mallopt(M_TRIM_THRESHOLD, -1);  // never
  ::mallopt(M_TOP_PAD, reserved);
  const auto end_of_heap = [] { return reinterpret_cast<std::uintptr_t>(::sbrk(0)); };
  const std::uintptr_t before = end_of_heap();
  // More than the heap has left makes it grow, by what is reserved.
  constexpr std::size_t more = 1 << 20;
  void* volatile block = std::malloc(more);
  std::free(block);
  const std::uintptr_t after = end_of_heap();
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (before + page - 1) / page * page;
  if (after > first) ::madvise(reinterpret_cast<void*>(first), after - first, MADV_HUGEPAGE);
  ::mallopt(M_TOP_PAD, growth);
#endif
}

}  // namespace headroom::app
