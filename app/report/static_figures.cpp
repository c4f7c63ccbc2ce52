#include "app/report/static_figures.hpp"

#include <fmt/format.h>

#include <map>

#include "app/json_member.hpp"
#include "app/output.hpp"
#include "app/plot/pdf.hpp"
#include "app/plot/svg.hpp"

namespace headroom::app {

std::vector<StaticFigure> static_figures(ResultFolder& folder) {
  switch (folder.kind()) {
    case ResultKind::reproduce:
      return reproduce_figures(folder);
    case ResultKind::compare:
      return compare_figures(folder);
    case ResultKind::diagnose:
      return diagnose_figures(folder);
    case ResultKind::frontier:
      return frontier_figures(folder);
    case ResultKind::sweep:
      return sweep_figures(folder);
    case ResultKind::verify:
      break;
  }
  return verify_figures(folder);
}

std::size_t write_static_figures(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& output) {
  create_output_folder(output);
  std::vector<ResultFolder> folders;
  std::map<ResultKind, std::size_t> of_kind;
  for (const std::filesystem::path& path : paths) ++of_kind[folders.emplace_back(path).kind()];
  std::map<ResultKind, std::size_t> number;
  std::size_t count = 0;
  for (ResultFolder& folder : folders) {
    std::string prefix(name(folder.kind()));
    if (of_kind[folder.kind()] > 1) prefix += fmt::format("-{}", ++number[folder.kind()]);
    const std::string date = text_member(folder.run(), "date");
    for (const StaticFigure& figure : static_figures(folder)) {
      const std::string svg = plot::to_svg(figure.drawing);
      const std::string file = prefix + "-" + figure.name;
      write_file(output / (file + ".svg"), svg);
      write_file(output / (file + ".pdf"), plot::to_pdf(svg, figure.drawing.title, date));
      ++count;
    }
  }
  return count;
}

}  // namespace headroom::app
