#pragma once

#include <string>

namespace headroom::app {

/// Name of this host, "unknown" where it has none.
[[nodiscard]] std::string host_name();

/// The processor's model as Linux tells it, e.g. "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz"; "unknown" elsewhere.
[[nodiscard]] std::string processor_name();

}  // namespace headroom::app
