// The lanes every kernel of this room sums over. Included once per instruction set, after <hwy/highway.h>, hence the
// guard that toggles.
#if defined(HEADROOM_VERIFY_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADROOM_VERIFY_LANES_INL
#undef HEADROOM_VERIFY_LANES_INL
#else
#define HEADROOM_VERIFY_LANES_INL
#endif

#include <hwy/highway.h>

#include "verify/row_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace headroom::verify {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, lane_group>;
using V = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kGroups = lane_group / kLanes;

HWY_INLINE V load(const double* p) { return hn::LoadU(Tag(), p); }
HWY_INLINE V set(double x) { return hn::Set(Tag(), x); }

// The logical lanes, added in order: the same bytes for every vector width.
HWY_INLINE double add_lanes(const V (&sum)[kGroups]) {
  double lanes[lane_group];
  for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(sum[g], Tag(), lanes + g * kLanes);
  double total = 0;
  for (double lane : lanes) total += lane;
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace headroom::verify
HWY_AFTER_NAMESPACE();

#endif
