#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/sweep/input_digests.hpp"
#include "verify/sweep/grid.hpp"
#include "verify/sweep/kind.hpp"

namespace headroom::app {

/// A grid as its file says it, with what its cells are.
struct GridFile {
  verify::sweep::Grid grid;
  std::unique_ptr<const verify::sweep::Kind> kind;
  std::string text;                      ///< the file, byte by byte
  std::shared_ptr<InputDigests> inputs;  ///< of what its cells depend on, as far as cells were looked at
};

/// Reads a grid (docs/sweeps.md). Throws input errors naming the file, and the line where TOML has one: what is no
/// TOML, an unknown key or axis with the nearest right one, a key without values or named twice, a value of the wrong
/// type, a range that makes no sense, and what the kind and its specs refuse. @param known digests that an earlier run
/// recorded: those inputs are not looked at
[[nodiscard]] GridFile read_grid(const std::filesystem::path& file, InputDigests::Digests known = {});

/// The same for a text. @param source what messages call it
[[nodiscard]] GridFile parse_grid(std::string text, const std::string& source, InputDigests::Digests known = {});

/// How two grids differ, one clause for each setting, e.g. "dim loses 64"; empty when they say the same.
[[nodiscard]] std::string grid_difference(const verify::sweep::Grid& before, const verify::sweep::Grid& after);

}  // namespace headroom::app
