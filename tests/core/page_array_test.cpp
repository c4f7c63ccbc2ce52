#include "core/page_array.hpp"

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "catch.hpp"

using headroom::PageArray;

TEST_CASE("an array of pages holds what is written, from its first element to its last") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, (std::size_t{1} << 18U) + 1}) {
    PageArray<double> array(size);
    CHECK(array.size() == size);
    CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
    for (std::size_t i = 0; i < size; ++i) array.data()[i] = static_cast<double>(i);
    const PageArray<double> moved = std::move(array);
    bool same = true;
    for (std::size_t i = 0; i < size; ++i) same = same && moved.data()[i] == static_cast<double>(i);
    CHECK(same);
  }
}

TEST_CASE("an empty array of pages has no memory, and more than there is throws") {
  CHECK(PageArray<double>(0).data() == nullptr);
  CHECK_THROWS_AS(PageArray<char>(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
}
