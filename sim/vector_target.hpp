#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::sim {

/// The instruction sets the kernels were compiled for that this machine has, best first: AVX3 is AVX-512, SCALAR the
/// baseline. All rooms share the choice; once one is forced it is the only one.
[[nodiscard]] std::vector<std::string> vector_targets();

/// The one in use: the best, unless another was forced.
[[nodiscard]] std::string vector_target();

/// Forces one of vector_targets(), whatever its case; for the whole process, so before anything runs in parallel. A
/// usage error names the nearest and all there are.
void use_vector_target(std::string_view name);

/// use_vector_target() of the environment variable HEADROOM_TARGET, if it is set and not empty.
void use_vector_target_of_environment();

}  // namespace headroom::sim
