#include <mpi.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "app/sweep/ranks.hpp"
#include "core/error.hpp"
#include "verify/sweep/mpi/rank_source.hpp"

namespace headroom::app {
namespace {

// A program started by hand is one rank, and need not wait for MPI to find that out.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

// The processors this rank may use, divided where the ranks of its machine share them.
int fair_threads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return omp_get_max_threads();
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
  int ranks = 1;
  MPI_Comm_size(local, &ranks);
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, local);
  MPI_Comm_free(&local);
  int sharing = 0;
  for (cpu_set_t& other : all) {
    cpu_set_t common;
    CPU_AND(&common, &mine, &other);
    if (CPU_COUNT(&common) > 0) ++sharing;
  }
  return std::max(1, CPU_COUNT(&mine) / std::max(1, sharing));
}

}  // namespace

Ranks::Ranks() : threads_(omp_get_max_threads()) {
  if (!launched()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  joined_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw_input("this MPI takes calls from the main thread only", "sweep",
                "use one built with thread support, or start one process per node with --shard I/N");
  }
  threads_ = fair_threads();
  omp_set_num_threads(threads_);
}

Ranks::~Ranks() {
  if (joined_) MPI_Finalize();
}

bool Ranks::agreed(bool yes) const {
  int word = yes ? 1 : 0;
  if (joined_) MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return word != 0;
}

std::unique_ptr<verify::sweep::SharedSource> Ranks::source(verify::sweep::ListSource* list,
                                                           verify::sweep::SharingOptions options) const {
  if (!joined_) return nullptr;
  options.threads = static_cast<std::size_t>(threads_);
  return std::make_unique<verify::sweep::RankSource>(MPI_COMM_WORLD, list, std::move(options));
}

}  // namespace headroom::app
