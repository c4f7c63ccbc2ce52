#pragma once

#include <string>

namespace headroom::bench {

/// What this process does as a rank under mpirun, and what rank 0 then prints, in seconds:
/// "cells": computes the grid in the file and prints how long that took, MPI's own start and end apart;
/// "letters": prints what a letter there and back takes;
/// "drain": hands 20,000 cells to rank 1, which computes nothing, and prints rank 0's processor time per cell.
void act_as_rank(const std::string& what, const std::string& grid_file, const std::string& folder);

}  // namespace headroom::bench
