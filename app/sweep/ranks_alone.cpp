#include <omp.h>

#include <cstdlib>
#include <string>

#include "app/sweep/ranks.hpp"
#include "core/error.hpp"

namespace headroom::app {
Ranks::Ranks() : threads_(omp_get_max_threads()) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = std::getenv(name);
    if (size == nullptr || std::string(size) == "1") continue;
    throw_usage("this headroom was built without MPI, and " + std::string(size) + " of it were started", "sweep",
                "build it with -DHEADROOM_MPI=ON, or start one with --shard I/N on each node");
  }
}

Ranks::~Ranks() = default;

bool Ranks::agreed(bool yes) const { return yes; }

std::unique_ptr<verify::sweep::SharedSource> Ranks::source(verify::sweep::ListSource*,
                                                           verify::sweep::SharingOptions) const {
  return nullptr;
}

}  // namespace headroom::app
