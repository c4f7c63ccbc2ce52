#include "app/sweep/opened.hpp"

#include <spdlog/spdlog.h>

namespace headroom::app {

void tell_damages(const verify::sweep::Index& index) {
  for (const std::string& damage : index.damages()) spdlog::warn("{}", damage);
}

std::unique_ptr<const OpenedSweep> open_sweep(const std::string& path) {
  auto sweep = std::make_unique<OpenedSweep>(OpenedSweep{SweepFolder(path), {}, nullptr, {}});
  sweep->folder.require();
  sweep->file = read_grid(sweep->folder.grid(), sweep->folder.recorded_inputs());
  sweep->plan = std::make_unique<const verify::sweep::SweepPlan>(sweep->file.grid, *sweep->file.kind, true);
  sweep->index = verify::sweep::Index(sweep->folder.cells(), sweep->file.grid.stopping.quantity);
  tell_damages(sweep->index);
  return sweep;
}

}  // namespace headroom::app
