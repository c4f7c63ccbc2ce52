#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/output.hpp"
#include "app/program.hpp"
#include "app/report/assets.hpp"
#include "app/report/document.hpp"
#include "app/report/page.hpp"
#include "app/report/static_figures.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string output;
  std::string figures;
};

void write_page(const ReportOptions& options) {
  const PageAssets assets = page_assets();
  check_output_file(options.output);
  std::vector<std::string> warnings;
  const Json document = report_document({options.folders.begin(), options.folders.end()}, warnings);
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);
  write_file(options.output, report_page(document, assets));
  spdlog::info("the report is {}; open it in a browser", options.output);
}

int report(const ReportOptions& options) {
  if (options.output.empty() && options.figures.empty()) {
    throw_usage("report needs a file for its page", "--output", "give one with -o report.html, or --figures DIR");
  }
  if (!options.output.empty()) write_page(options);
  if (!options.figures.empty()) {
    const std::size_t count = write_static_figures({options.folders.begin(), options.folders.end()}, options.figures);
    spdlog::info("{} figures (.svg and .pdf) are in {}", count, options.figures);
  }
  return exit_done;
}

}  // namespace

void add_report(CLI::App& program, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = program.add_subcommand("report", "One self-contained page of what other commands wrote");
  command
      ->add_option("folders", options->folders,
                   "folders that reproduce, verify, compare, diagnose, frontier or sweep wrote")
      ->required();
  command->add_option("-o,--output", options->output, "the page, e.g. report.html");
  command->add_option("--figures", options->figures,
                      "also write every figure as SVG and PDF for a paper's column here");
  command->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace headroom::app
