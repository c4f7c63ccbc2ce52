#pragma once

namespace headroom::verify {

/// What the hot loops over tokens work in. `single` halves their time; reported means stay within 1e-5 relative of
/// `full`, which is double.
enum class Precision { single, full };

}  // namespace headroom::verify
