#include "sim/random_kernels.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>

#include "sim/normal_series.hpp"
#include "sim/random_scalar.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/random_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headroom::sim::kernels {
namespace HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR  // one lane cannot hold the pairs the vector code works on

void words(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, std::uint64_t* out) {
  scalar::fill_words(key, chunk, chunks, out);
}
void uniforms(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  scalar::fill_uniforms(key, chunk, chunks, out);
}
void normals64(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  scalar::fill_normals(key, chunk, chunks, out);
}
void normals32(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, float* out) {
  scalar::fill_normals(key, chunk, chunks, out);
}
void normalize64(double* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  scalar::normalize_rows(data, rows, cols, stride);
}
void normalize32(float* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  scalar::normalize_rows(data, rows, cols, stride);
}

#else
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t blocks_per_chunk = 8;

// The 512 vector bits a chunk is worked on in: at most one chunk per vector, so wider machines change nothing.
using U64 = hn::CappedTag<std::uint64_t, blocks_per_chunk>;
using F64 = hn::Rebind<double, U64>;
using U32 = hn::Repartition<std::uint32_t, U64>;
using F32 = hn::Repartition<float, U64>;

template <class D>
HWY_INLINE hn::Vec<D> multiply_add(D /*tag*/, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
  return hn::Add(hn::Mul(a, b), c);  // two roundings, on machines with a fused instruction too
}

/// c[0] + c[1] x + … by Horner.
template <class D, std::size_t n>
HWY_INLINE hn::Vec<D> polynomial(D d, hn::Vec<D> x, const double (&c)[n]) {
  using T = hn::TFromD<D>;
  auto sum = hn::Set(d, static_cast<T>(c[n - 1]));
  for (std::size_t k = n - 1; k-- > 0;) sum = multiply_add(d, sum, x, hn::Set(d, static_cast<T>(c[k])));
  return sum;
}

constexpr std::size_t rounds = 10;

/// The keys of all rounds, each repeated over a vector.
struct RoundKeys {
  explicit RoundKeys(const PhiloxKey& key) {
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto weyl = static_cast<std::uint32_t>(round);
      std::fill_n(first[round], blocks_per_chunk, std::uint32_t{key.key0 + weyl * PHILOX_W32_0});
      std::fill_n(second[round], blocks_per_chunk, std::uint32_t{key.key1 + weyl * PHILOX_W32_1});
    }
  }
  HWY_ALIGN std::uint64_t first[rounds][blocks_per_chunk];
  HWY_ALIGN std::uint64_t second[rounds][blocks_per_chunk];
};

struct Pair {
  hn::Vec<U64> first;
  hn::Vec<U64> second;
};

/// Philox4x32-10 (Salmon et al., SC11) on one block per 64-bit lane. Only the low halves of the lanes mean anything
/// until the end: the products read nothing else, so no masking is needed between rounds.
HWY_INLINE Pair philox(const PhiloxKey& key, const RoundKeys& keys, std::uint64_t chunk, std::size_t lane) {
  const U64 d;
  const U32 d32;
  const std::uint64_t index = chunk * blocks_per_chunk + lane;
  auto x0 = hn::Add(hn::Set(d, index & 0xffffffffu), hn::Iota(d, std::uint64_t{0}));  // aligned by eight: no carry
  auto x1 = hn::Set(d, (index >> 32) | (std::uint64_t{key.kind} << 24));
  auto x2 = hn::Set(d, std::uint64_t{key.block_low});
  auto x3 = hn::Set(d, std::uint64_t{key.block_high});
  const auto m0 = hn::BitCast(d32, hn::Set(d, std::uint64_t{PHILOX_M4x32_0}));
  const auto m1 = hn::BitCast(d32, hn::Set(d, std::uint64_t{PHILOX_M4x32_1}));
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto p0 = hn::MulEven(m0, hn::BitCast(d32, x0));
    const auto p1 = hn::MulEven(m1, hn::BitCast(d32, x2));
    x0 = hn::Xor3(hn::ShiftRight<32>(p1), x1, hn::Load(d, keys.first[round]));
    x2 = hn::Xor3(hn::ShiftRight<32>(p0), x3, hn::Load(d, keys.second[round]));
    x1 = p1;
    x3 = p0;
  }
  const auto low = hn::Set(d, std::uint64_t{0xffffffffu});
  return {hn::Or(hn::And(x0, low), hn::ShiftLeft<32>(x1)), hn::Or(hn::And(x2, low), hn::ShiftLeft<32>(x3))};
}

template <class T, class Convert>
HWY_INLINE void for_each_pair(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, T* out, Convert convert) {
  const U64 d;
  constexpr std::size_t size = blocks_per_chunk * 2 * sizeof(std::uint64_t) / sizeof(T);
  const std::size_t step = hn::Lanes(d);
  const RoundKeys keys(key);
  for (std::size_t c = 0; c < chunks; ++c, out += size) {
    for (std::size_t lane = 0; lane < blocks_per_chunk; lane += step) {
      T* const at = out + lane * (sizeof(std::uint64_t) / sizeof(T));
      convert(philox(key, keys, chunk + c, lane), at, at + size / 2);
    }
  }
}

void words(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, std::uint64_t* out) {
  for_each_pair(key, chunk, chunks, out, [](Pair bits, std::uint64_t* low, std::uint64_t* high) HWY_ATTR {
    hn::StoreU(bits.first, U64(), low);
    hn::StoreU(bits.second, U64(), high);
  });
}

/// (bits >> 11)·2⁻⁵³, exactly: the halves are put behind the leading bit of 2⁸⁴ and 2⁵² and the excess is taken off.
HWY_INLINE hn::Vec<F64> uniform(hn::Vec<U64> bits) {
  const U64 d;
  const F64 f;
  const auto value = hn::ShiftRight<11>(bits);
  const auto low = hn::BitCast(f, hn::Or(hn::And(value, hn::Set(d, std::uint64_t{0xffffffffu})),
                                         hn::Set(d, std::uint64_t{0x4330000000000000u})));
  const auto high = hn::BitCast(f, hn::Or(hn::ShiftRight<32>(value), hn::Set(d, std::uint64_t{0x4530000000000000u})));
  const auto sum = hn::Add(hn::Sub(high, hn::Set(f, 0x1p84 + 0x1p52)), low);
  return hn::Mul(sum, hn::Set(f, 0x1p-53));
}

void uniforms(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  for_each_pair(key, chunk, chunks, out, [](Pair bits, double* low, double* high) HWY_ATTR {
    hn::StoreU(uniform(bits.first), F64(), low);
    hn::StoreU(uniform(bits.second), F64(), high);
  });
}

/// √(−2 log u), u = 2^e·m with m in [√½, √2), given m and e.
template <class D, std::size_t n>
HWY_INLINE hn::Vec<D> radius(D d, hn::Vec<D> mantissa, hn::Vec<D> exponent, const double (&artanh)[n]) {
  using T = hn::TFromD<D>;
  const auto one = hn::Set(d, T{1});
  const auto s = hn::Div(hn::Sub(mantissa, one), hn::Add(mantissa, one));
  const auto series = hn::Mul(hn::Mul(s, hn::Set(d, T{-4})), polynomial(d, hn::Mul(s, s), artanh));
  return hn::Sqrt(multiply_add(d, exponent, hn::Set(d, static_cast<T>(-2 * log_two)), series));
}

/// The pair (cos, sin) of an angle (π/2)·turn, |turn| <= 1/2, exchanged where `swap`, times r.
template <class D, std::size_t n, std::size_t m>
HWY_INLINE void rotate(D d, hn::Vec<D> turn, hn::Mask<D> swap, hn::Vec<D> r, const double (&sine)[n],
                       const double (&cosine)[m], hn::TFromD<D>* first, hn::TFromD<D>* second) {
  using T = hn::TFromD<D>;
  const auto y = hn::Mul(turn, hn::Set(d, static_cast<T>(half_pi)));
  const auto square = hn::Mul(y, y);
  const auto sin = hn::Mul(y, polynomial(d, square, sine));
  const auto cos = polynomial(d, square, cosine);
  hn::StoreU(hn::Mul(r, hn::IfThenElse(swap, sin, cos)), d, first);
  hn::StoreU(hn::Mul(r, hn::IfThenElse(swap, cos, sin)), d, second);
}

/// The top bit gives the sign, the next one exchanges sine and cosine, 52 others the angle within the quarter
/// (−π/4, π/4): together a uniform angle.
void normals64(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  for_each_pair(key, chunk, chunks, out, [](Pair bits, double* first, double* second) HWY_ATTR {
    const U64 d;
    const F64 f;
    const auto one = hn::Set(d, std::uint64_t{0x3ff0000000000000u});
    const auto root_half = hn::Set(d, std::uint64_t{0x3fe6a09e667f3bcdu});
    // u = (52 bits + ½)·2⁻⁵², exact and never 0 or 1.
    const auto u = hn::Sub(hn::BitCast(f, hn::Or(hn::ShiftRight<12>(bits.first), one)), hn::Set(f, 1.0 - 0x1p-53));
    const auto shifted = hn::Add(hn::BitCast(d, u), hn::Sub(one, root_half));
    const auto biased = hn::Or(hn::ShiftRight<52>(shifted), hn::Set(d, std::uint64_t{0x4330000000000000u}));
    const auto exponent = hn::Sub(hn::BitCast(f, biased), hn::Set(f, 0x1p52 + 1023));
    const auto mantissa =
        hn::BitCast(f, hn::Add(hn::And(shifted, hn::Set(d, std::uint64_t{0xfffffffffffffu})), root_half));
    const auto r = radius(f, mantissa, exponent, artanh64);

    const auto sign = hn::And(bits.second, hn::Set(d, std::uint64_t{1} << 63));
    const auto swap_bit = hn::Set(d, std::uint64_t{1} << 62);
    const auto swap = hn::MaskFromVec(hn::BitCast(f, hn::VecFromMask(d, hn::TestBit(bits.second, swap_bit))));
    const auto fraction = hn::And(bits.second, hn::Set(d, std::uint64_t{0xfffffffffffffu}));
    const auto turn = hn::Add(hn::Sub(hn::BitCast(f, hn::Or(fraction, one)), hn::Set(f, 1.5)), hn::Set(f, 0x1p-53));
    rotate(f, turn, swap, hn::Xor(r, hn::BitCast(f, sign)), sine64, cosine64, first, second);
  });
}

void normals32(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, float* out) {
  for_each_pair(key, chunk, chunks, out, [](Pair bits, float* first, float* second) HWY_ATTR {
    const U32 d;
    const F32 f;
    const hn::RebindToSigned<U32> i;
    const auto one = hn::Set(d, 0x3f800000u);
    const auto root_half = hn::Set(d, 0x3f3504f3u);
    // u = (31 bits + ½)·2⁻³¹ rounded: fine near 0, where the tail comes from, and kept below 1, so that r > 0.
    const auto whole = hn::ConvertTo(f, hn::BitCast(i, hn::ShiftRight<1>(hn::BitCast(d, bits.first))));
    const auto u =
        hn::Min(hn::Mul(hn::Add(whole, hn::Set(f, 0.5f)), hn::Set(f, 0x1p-31f)), hn::Set(f, 1.0f - 0x1p-24f));
    const auto shifted = hn::Add(hn::BitCast(d, u), hn::Sub(one, root_half));
    const auto exponent = hn::ConvertTo(f, hn::Sub(hn::BitCast(i, hn::ShiftRight<23>(shifted)), hn::Set(i, 127)));
    const auto mantissa = hn::BitCast(f, hn::Add(hn::And(shifted, hn::Set(d, 0x7fffffu)), root_half));
    const auto r = radius(f, mantissa, exponent, artanh32);

    const auto angle = hn::BitCast(d, bits.second);
    const auto sign = hn::And(angle, hn::Set(d, 0x80000000u));
    const auto swap = hn::MaskFromVec(hn::BitCast(f, hn::VecFromMask(d, hn::TestBit(angle, hn::Set(d, 0x40000000u)))));
    const auto fraction = hn::And(angle, hn::Set(d, 0x7fffffu));
    const auto turn = hn::Add(hn::Sub(hn::BitCast(f, hn::Or(fraction, one)), hn::Set(f, 1.5f)), hn::Set(f, 0x1p-24f));
    rotate(f, turn, swap, hn::Xor(r, hn::BitCast(f, sign)), sine32, cosine32, first, second);
  });
}

/// Adds up the logical lanes from the outside in, always in the same order.
template <class T, std::size_t n>
HWY_INLINE T reduce(T (&lanes)[n]) {
  for (std::size_t half = n / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  }
  return lanes[0];
}

template <class T>
HWY_INLINE void normalize(T* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  constexpr std::size_t logical = 64 / sizeof(T);
  const hn::CappedTag<T, logical> d;
  const std::size_t step = hn::Lanes(d);
  if (cols < logical) return scalar::normalize_rows(data, rows, cols, stride);
  const std::size_t whole = cols - cols % logical;
  for (std::size_t r = 0; r < rows; ++r, data += stride) {
    HWY_ALIGN T lanes[logical] = {};
    for (std::size_t k = whole; k < cols; ++k) lanes[k - whole] = data[k] * data[k];
    for (std::size_t lane = 0; lane < logical; lane += step) {
      auto sum = hn::Load(d, lanes + lane);
      for (std::size_t k = lane; k < whole; k += logical) {
        const auto x = hn::LoadU(d, data + k);
        sum = multiply_add(d, x, x, sum);
      }
      hn::Store(sum, d, lanes + lane);
    }
    const T scale = T{1} / std::sqrt(reduce(lanes));
    const auto factor = hn::Set(d, scale);
    for (std::size_t k = 0; k < whole; k += step) hn::StoreU(hn::Mul(hn::LoadU(d, data + k), factor), d, data + k);
    for (std::size_t k = whole; k < cols; ++k) data[k] *= scale;
  }
}

void normalize64(double* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  normalize(data, rows, cols, stride);
}
void normalize32(float* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  normalize(data, rows, cols, stride);
}

#endif

const char* name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace headroom::sim::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headroom::sim::kernels {

HWY_EXPORT(words);
HWY_EXPORT(uniforms);
HWY_EXPORT(normals64);
HWY_EXPORT(normals32);
HWY_EXPORT(normalize64);
HWY_EXPORT(normalize32);
HWY_EXPORT(name);

void fill_words(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(words)(key, chunk, chunks, out);
}
void fill_uniforms(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  HWY_DYNAMIC_DISPATCH(uniforms)(key, chunk, chunks, out);
}
void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, double* out) {
  HWY_DYNAMIC_DISPATCH(normals64)(key, chunk, chunks, out);
}
void fill_normals(const PhiloxKey& key, std::uint64_t chunk, std::size_t chunks, float* out) {
  HWY_DYNAMIC_DISPATCH(normals32)(key, chunk, chunks, out);
}
void normalize_rows(double* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(normalize64)(data, rows, cols, stride);
}
void normalize_rows(float* data, std::size_t rows, std::size_t cols, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(normalize32)(data, rows, cols, stride);
}
const char* target_name() { return HWY_DYNAMIC_DISPATCH(name)(); }

}  // namespace headroom::sim::kernels
#endif
