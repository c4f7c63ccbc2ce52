#include "core/page_array.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace headroom {

void PageBlock::Free::operator()(std::byte* block) const { std::free(block); }

PageBlock::Pointer PageBlock::allocate(std::size_t bytes) {
  if (bytes == 0) return {};
  constexpr std::size_t cache_line = 64;
  constexpr std::size_t huge_page = std::size_t{1} << 21U;
  const std::size_t unit = bytes < huge_page ? cache_line : huge_page;
  const std::size_t padded = (bytes + unit - 1) / unit * unit;
  Pointer block(static_cast<std::byte*>(padded < bytes ? nullptr : std::aligned_alloc(unit, padded)));
  if (!block) throw std::bad_alloc();
  if (unit == huge_page) ::madvise(block.get(), padded, MADV_HUGEPAGE);
  return block;
}

}  // namespace headroom
