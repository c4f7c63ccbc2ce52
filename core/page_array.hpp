#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace headroom {

/// Memory nobody has written to. Many megabytes come in huge pages where the system has them, and each page from the
/// thread that first writes there: clearing gigabytes before filling them, four kilobytes at a time, can take longer
/// than what fills them.
struct PageBlock {
  struct Free {
    void operator()(std::byte* block) const;
  };
  using Pointer = std::unique_ptr<std::byte[], Free>;

  /// Aligned to 64 bytes or more; null for 0 bytes. Throws std::bad_alloc.
  [[nodiscard]] static Pointer allocate(std::size_t bytes);
};

/// An array of numbers without values as yet.
template <class T>
class PageArray {
  static_assert(std::is_trivial_v<T>);

 public:
  PageArray() = default;
  explicit PageArray(std::size_t size) : block_(PageBlock::allocate(size * sizeof(T))), size_(size) {}

  [[nodiscard]] T* data() { return reinterpret_cast<T*>(block_.get()); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(block_.get()); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  PageBlock::Pointer block_;
  std::size_t size_ = 0;
};

}  // namespace headroom
