#include <fmt/format.h>
#include <omp.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/bundled.hpp"
#include "app/command_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/number_check.hpp"
#include "app/csv.hpp"
#include "app/figures.hpp"
#include "app/interrupt.hpp"
#include "app/json.hpp"
#include "app/model_folder.hpp"
#include "app/output.hpp"
#include "app/plot/svg.hpp"
#include "app/program.hpp"
#include "app/progress.hpp"
#include "app/reproduce/measure_model.hpp"
#include "app/reproduce/pooled_tables.hpp"
#include "app/reproduce/recording.hpp"
#include "app/reproduce/windows.hpp"
#include "app/run_record.hpp"
#include "app/stopwatch.hpp"
#include "core/error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  std::string model;
  std::vector<std::string> texts;
  std::size_t windows = 1;  // of each text
  std::size_t length = 1024;
  std::string vectors = "embedding";
  bool no_normalize = false;
  std::string precision = "single";
  bool bos = false;
  std::vector<std::string> figures = {"all"};
  Grids grids;
  std::vector<std::string> record;
  std::string output;
};

const std::array<std::string, 5> figure_names = {"2a", "2b", "2c", "3", "4"};

FigureChoice parse_figures(const std::vector<std::string>& names) {
  FigureChoice choice{false, false, false, false, false};
  const std::array<bool*, 5> flags = {&choice.distance_over_length, &choice.distance_over_top, &choice.critical,
                                      &choice.separable, &choice.sensitivity};
  for (const std::string& name : names) {
    bool known = name == "all";
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (name == "all" || name == figure_names[i] || (name == "2" && figure_names[i].starts_with("2"))) {
        *flags[i] = true;
        known = true;
      }
    }
    if (!known) throw_usage("unknown figure " + name, "--figures", "2a, 2b, 2c, 3, 4 or all");
  }
  return choice;
}

std::vector<std::string> chosen_figures(const FigureChoice& choice) {
  const std::array<bool, 5> flags = {choice.distance_over_length, choice.distance_over_top, choice.critical,
                                     choice.separable, choice.sensitivity};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) names.push_back(figure_names[i]);
  }
  return names;
}

// The largest N that Figure 2c tried at each length.
Json largest_critical_tops(const FigureContext& context) {
  Json tops = Json::object();
  for (const auto& [length, top] : context.largest_top) tops[std::to_string(length)] = top;
  return tops;
}

// What an earlier run left and this one does not make would be taken for this one's.
void remove_earlier(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (!error) return;
  throw_input("an earlier run's file cannot be removed: " + error.message(), file.string(),
              "name another folder with -o");
}

// The chosen figures' tables as CSV, and their drawings as SVG beside them.
void write_figures(const fs::path& folder, const FigureChoice& choice, const WindowPool& pool,
                   const FigureContext& context) {
  struct Figure {
    std::string name;
    bool chosen;
    Table (*table)(const WindowPool&);
    plot::Drawing (*draw)(const Table&, const FigureContext&);
  };
  const std::array<Figure, 5> figures = {{{"figure2a", choice.distance_over_length, figure2a_table, figure2a},
                                          {"figure2b", choice.distance_over_top, figure2b_table, figure2b},
                                          {"figure2c", choice.critical, figure2c_table, figure2c},
                                          {"figure3", choice.separable, figure3_table, figure3},
                                          {"figure4", choice.sensitivity, figure4_table, figure4}}};
  for (const Figure& figure : figures) {
    const fs::path csv = folder / (figure.name + ".csv");
    const fs::path svg = folder / (figure.name + ".svg");
    if (figure.chosen) {
      const Table table = figure.table(pool);
      write_file(csv, to_csv(table));
      write_file(svg, plot::to_svg(figure.draw(table, context)));
    } else {
      remove_earlier(csv);
      remove_earlier(svg);
    }
  }
}

FigureContext figure_context(const ReproduceOptions& options, std::size_t heads, std::size_t windows) {
  FigureContext context;
  const fs::path model = fs::weakly_canonical(options.model);
  context.model = (model.extension() == ".onnx" ? model.parent_path() : model).filename().string();
  context.text = options.texts.size() == 1 ? fs::path(options.texts.front()).stem().string()
                                           : fmt::format("{} texts", options.texts.size());
  context.length = options.length;
  context.heads = heads;
  context.windows = windows;
  for (std::size_t length : options.grids.lengths) {
    const std::vector<std::size_t> tops = options.grids.critical_tops(length);
    if (!tops.empty()) context.largest_top[length] = tops.back();
  }
  return context;
}

void check_grids(const Grids& grids) {
  const auto positive = [](const auto& values, const char* option) {
    for (const auto value : values) {
      if (!(value > 0))
        throw_usage("every value must be positive", option, "leave the option out for the paper's grid");
    }
  };
  positive(grids.lengths, "--lengths");
  positive(grids.distance_tops, "--distance-tops");
  positive(grids.separable_tops, "--separable-tops");
  positive(grids.temperatures, "--temperatures");
  positive(grids.epsilons, "--epsilons");
  if (grids.distance_top == 0) throw_usage("N must be at least 1", "--distance-top", "the paper takes 5");
  if (!(grids.critical_level > 0 && grids.critical_level < 1)) {
    throw_usage("the significance level must lie between 0 and 1", "--critical-level", "the paper's figure takes 0.01");
  }
}

void check_texts(const std::vector<std::string>& texts) {
  std::set<fs::path> seen;
  for (const std::string& text : texts) {
    std::error_code error;
    if (!fs::exists(text, error)) {
      throw_input("there is no such text", text, "name one with --text, or run scripts/setup for Moby-Dick");
    }
    if (!seen.insert(fs::weakly_canonical(text, error)).second) {
      throw_usage("the text is given twice", text, "windows read twice say nothing new: raise --windows instead");
    }
  }
}

// A window and its tokens.
struct Reading {
  Window window;
  std::vector<std::int64_t> ids;
};

struct Readings {
  std::vector<Reading> windows;
  std::vector<std::size_t> tokens;  // of each text
};

Readings read_texts(const ReproduceOptions& options, const model::Tokenizer& tokenizer) {
  Readings readings;
  for (const std::string& text : options.texts) {
    TextWindows cut = read_windows(tokenizer, text, options.length, options.windows, options.bos);
    for (std::size_t w = 0; w < cut.windows.size(); ++w) {
      readings.windows.push_back({{readings.windows.size(), text, w * cut.step}, std::move(cut.windows[w])});
    }
    readings.tokens.push_back(cut.tokens);
  }
  return readings;
}

void record_texts(RunRecord& run, const ReproduceOptions& options, const Readings& readings, std::size_t done) {
  const std::size_t asked = readings.windows.size();
  if (asked == 1) {
    run.text(options.texts.front());
    return;
  }
  for (std::size_t i = 0; i < options.texts.size(); ++i) run.add_text(options.texts[i], readings.tokens[i]);
  run.set("windows", Json{{"of_each_text", options.windows}, {"asked", asked}, {"done", done}});
  if (done < asked) run.set("interrupted", true);
}

// Measures window after window, and ends early when interrupted with some of them done; with none, Interrupted passes
// through.
void measure_windows(const model::Transformer& transformer, std::span<const Reading> readings,
                     const MeasureModelOptions& measuring, WindowPool& pool, StageSeconds& seconds) {
  Progress progress("heads", readings.size() * measured_heads(transformer, measuring.grids));
  for (const Reading& reading : readings) {
    try {
      pool.add(reading.window, measure_model(transformer, reading.ids, measuring, seconds, progress));
    } catch (const Interrupted&) {
      if (pool.count() == 0) throw;
      return;
    }
  }
}

int reproduce(ReproduceOptions options) {
  if (options.model.empty()) options.model = bundled_model().string();
  if (options.texts.empty()) options.texts = {bundled_text().string()};
  if (options.length < 2) throw_usage("the length must be at least 2", "--length", "the paper takes 1024");
  if (options.windows == 0) throw_usage("at least one window must be read", "--windows", "the paper takes 1");
  const FigureChoice choice = parse_figures(options.figures);
  check_grids(options.grids);
  options.grids.limit(options.length);
  check_texts(options.texts);
  const std::vector<HeadName> recorded = parse_heads(options.record);
  const fs::path folder = options.output;
  const std::string schema = "headroom.reproduce/1";
  create_command_folder(folder, schema);

  Stopwatch total;
  Stopwatch watch;
  RunRecord run(schema);
  const int threads = omp_get_max_threads();
  ModelFolder model = ModelFolder::open(options.model, threads);
  run.seconds("load", watch.lap());
  if (const auto context = model.transformer.context(); context && options.length > *context) {
    throw_input(fmt::format("{} tokens are asked for and the model's context is {}", options.length, *context),
                model.onnx.string(), fmt::format("use --length {} or less", *context));
  }
  const Readings readings = read_texts(options, model.tokenizer);
  run.seconds("tokenize", watch.lap());

  StageSeconds stages;
  const bool single = options.precision == "single";
  MeasureModelOptions measuring{options.grids,
                                choice,
                                vector_kind(options.vectors),
                                !options.no_normalize,
                                single ? verify::Precision::single : verify::Precision::full,
                                {}};
  if (!recorded.empty()) {
    measuring.look = [&, first = true](const model::Activations& activations) mutable {
      if (std::exchange(first, false)) record_heads(activations, recorded, folder / "logits.npy");
    };
  }
  WindowPool pool(options.grids, choice);
  measure_windows(model.transformer, readings.windows, measuring, pool, stages);
  run.seconds("forward", stages.forward);
  run.seconds("measure", stages.measure);
  watch.lap();

  const FigureContext context = figure_context(options, pool.heads(), pool.count());
  const Grids& grids = options.grids;
  write_figures(folder, choice, pool, context);
  write_file(folder / "heads.csv", to_csv(heads_table(pool)));
  const std::size_t asked = readings.windows.size();
  if (asked > 1) {
    write_file(folder / "windows.csv", to_csv(pool.table()));
  } else {
    remove_earlier(folder / "windows.csv");
  }
  run.seconds("write", watch.lap());
  run.seconds("total", total.lap());

  run.model(model.onnx, model.transformer.data_files(), model.transformer.blocks().size(), pool.heads());
  record_texts(run, options, readings, pool.count());
  run.set("length", options.length);
  run.set("vectors", options.vectors);
  run.set("normalized", !options.no_normalize);
  run.set("precision", options.precision);
  run.set("beginning_of_text_token", options.bos);
  run.set("seed", grids.seed);
  run.set("lengths", grids.lengths);
  run.set("figures", chosen_figures(choice));
  run.set("critical_tops", largest_critical_tops(context));
  run.set("critical_level", grids.critical_level);
  if (!recorded.empty()) run.set("recorded", options.record);
  if (choice.separable) {
    run.set("separable_law", Json{{"rows", "all"},
                                  {"binned_from_dimension", single ? Json(verify::BinnedLaw::least_dim) : Json()},
                                  {"error", HeadRecorder::law_tolerance}});
  }
  run.write(folder / "run.json");
  if (pool.count() < asked) {
    throw Interrupted(
        fmt::format("{} of {} windows were done; their results are in {}", pool.count(), asked, folder.string()));
  }
  const std::vector<std::string> figures = chosen_figures(choice);
  spdlog::info("{} head{} measured at {} tokens{}; figure{} {} (.svg and .csv), heads.csv and run.json are in {}",
               pool.heads(), pool.heads() == 1 ? "" : "s", options.length,
               asked > 1 ? fmt::format(" in each of {} windows", asked) : "", figures.size() == 1 ? "" : "s",
               fmt::join(figures, ", "), folder.string());
  return exit_done;
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action) {
  auto options = std::make_shared<ReproduceOptions>();
  Grids& grids = options->grids;
  CLI::App* command =
      program.add_subcommand("reproduce", "Algorithms 1-5 and Figures 2-4 of the paper on every head of a model");
  command->add_option("--model", options->model,
                      "folder with model.onnx, vocab.json and merges.txt (default: the bundled one)");
  command->add_option("--text", options->texts,
                      "UTF-8 text, or several (default: Moby-Dick, where scripts/setup put it)");
  command
      ->add_option("--windows", options->windows,
                   "consecutive windows of each text; means over all of them, with intervals")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--length", options->length, "tokens of the window")->capture_default_str();
  command->add_option("--vectors", options->vectors, "what stands for a token")
      ->check(CLI::IsMember({"embedding", "hidden", "value", "isotropic"}))
      ->capture_default_str();
  command->add_flag("--no-normalize", options->no_normalize, "keep the vectors' lengths");
  command
      ->add_option("--precision", options->precision,
                   "of the sums over tokens; means in single stay within 1e-5 relative of double")
      ->check(CLI::IsMember({"single", "double"}))
      ->capture_default_str();
  command->add_flag("--bos", options->bos, "put the end-of-text token in front, as GPT-2 does");
  command->add_option("--figures", options->figures, "2a, 2b, 2c, 3, 4 or all")->delimiter(',')->capture_default_str();
  command->add_option("--lengths", grids.lengths, "L of Figures 2a and 2c")->delimiter(',');
  command->add_option("--distance-top", grids.distance_top, "N of Figure 2a")->capture_default_str();
  command->add_option("--distance-tops", grids.distance_tops, "N of Figure 2b")->delimiter(',');
  command
      ->add_option("--critical-dense", grids.critical_dense,
                   "Figure 2c tries every N up to this, then 128, 256 ... L/2")
      ->capture_default_str();
  command->add_option("--critical-level", grids.critical_level, "significance level of Figure 2c")
      ->capture_default_str();
  command->add_option("--separable-tops", grids.separable_tops, "N of Figure 3")->delimiter(',');
  command->add_option("--temperatures", grids.temperatures, "T of Figure 4")->delimiter(',');
  command->add_option("--epsilons", grids.epsilons, "step lengths of Figure 4")->delimiter(',');
  command->add_option("--seed", grids.seed, "of Figure 4's random directions")->capture_default_str();
  command
      ->add_option("--record", options->record,
                   "heads, as in 2.5,7.11, whose logits in the first window go to logits.npy, for simulate --logits "
                   "file:PATH")
      ->delimiter(',');
  command->add_option("-o,--output", options->output, "folder for the figures")->required();
  command->callback([options, &action] { action = [options] { return reproduce(*options); }; });
}

}  // namespace headroom::app
