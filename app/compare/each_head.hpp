#pragma once

#include <cstddef>
#include <functional>

#include "app/interrupt.hpp"
#include "model/activations.hpp"

namespace headroom::app {

/// Calls visit(layer, head) for every head in order, and `head_done` after each. Interrupted after Ctrl-C.
template <class Visit>
void for_each_head(const model::Activations& activations, const std::function<void()>& head_done, Visit visit) {
  for (std::size_t layer = 0; layer < activations.layers(); ++layer) {
    for (std::size_t head = 0; head < activations.heads(layer); ++head) {
      visit(layer, head);
      head_done();
      if (interrupted()) throw Interrupted("not all heads were measured, nothing was written");
    }
  }
}

}  // namespace headroom::app
