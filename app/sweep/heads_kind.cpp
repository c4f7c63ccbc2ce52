#include "app/sweep/heads_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/interrupt.hpp"
#include "core/error.hpp"
#include "model/digest.hpp"
#include "model/onnx_file.hpp"

namespace headroom::app {
namespace {

using verify::Moments;
using verify::sweep::GridKey;
using verify::sweep::GroupValues;
using verify::sweep::Record;
using verify::sweep::Value;

enum Key : std::size_t { model_key, text_key, length, bos, vectors, normalize, match, temperature, normalizer, top };

bool flag(double value, const char* key) {
  if (value != 0 && value != 1) throw_usage(fmt::format("{} cannot be {}", key, value), key, "it is 0 or 1");
  return value == 1;
}

double number(std::span<const Value> point, Key key) { return std::get<double>(point[key]); }
const std::string& text(std::span<const Value> point, Key key) { return std::get<std::string>(point[key]); }

WindowSource source_at(std::span<const Value> point) {
  return {text(point, model_key), text(point, text_key), static_cast<std::size_t>(number(point, length)),
          flag(number(point, bos), "bos")};
}

WindowQuestion question_at(std::span<const Value> point, std::span<const std::uint64_t> groups) {
  WindowQuestion question;
  question.normalizer = text(point, normalizer);
  question.tops.assign(groups.begin(), groups.end());
  question.match = text(point, match);
  question.temperature = number(point, temperature);
  question.vectors = text(point, vectors);
  question.normalize = flag(number(point, normalize), "normalize");
  return question;
}

// Everything that what a model does with a text depends on, by name and content.
std::string model_digest(const std::string& model) {
  const std::filesystem::path onnx = model_path(model);
  const std::filesystem::path folder = onnx.parent_path();
  std::vector<std::filesystem::path> files = {onnx, folder / "vocab.json", folder / "merges.txt"};
  for (const std::string& name : model::read_onnx_file(onnx).data_files) files.push_back(folder / name);
  std::string digests;
  for (const std::filesystem::path& file : files) digests += model::sha256_file(file) + '\n';
  return model::sha256(std::as_bytes(std::span(digests)));
}

class HeadsWork final : public verify::sweep::CellWork {
 public:
  HeadsWork(WindowSource source, WindowQuestion question, std::string of, std::shared_ptr<WindowPasses> passes,
            std::uint64_t seed, const Record* saved)
      : source_(std::move(source)),
        question_(std::move(question)),
        of_(std::move(of)),
        passes_(std::move(passes)),
        seed_(seed) {
    for (const std::size_t n : question_.tops) {
      GroupValues& group = groups_.emplace_back(GroupValues{n, {}});
      for (const std::string& name : window_quantities()) {
        group.values.emplace_back(name, Moments{});
        group.values.emplace_back(name + "_sd", Moments{});
      }
    }
    if (saved == nullptr) return;
    trials_ = saved->trials;
    for (const GroupValues& group : saved->groups) restore(group);
  }

  void expect(std::uint64_t trials) override { passes_->require(source_, trials); }

  bool run(std::uint64_t trials, const verify::StopRequest& stop) override {
    while (trials_ < trials) {
      if (stop && stop()) return false;
      const WindowPasses::Pass pass = passes_->of(source_, trials_);
      std::vector<std::vector<Moments>> means;
      try {
        means = window_means(*pass, question_);
      } catch (const Interrupted&) {
        return false;
      }
      for (std::size_t n = 0; n < groups_.size(); ++n) add(groups_[n], means[n]);
      ++trials_;
    }
    return true;
  }

  [[nodiscard]] std::uint64_t grain() const override { return 1; }
  [[nodiscard]] std::uint64_t trials() const override { return trials_; }

  [[nodiscard]] Record record() const override {
    Record record;
    record.of = of_;
    record.seed = seed_;
    record.trials = trials_;
    record.groups = groups_;
    for (GroupValues& group : record.groups) {
      std::erase_if(group.values, [](const auto& value) { return value.second.count == 0; });
    }
    return record;
  }

  void drop(std::span<const std::uint64_t> groups) override {
    const auto dropped = [&](std::uint64_t group) {
      return std::find(groups.begin(), groups.end(), group) != groups.end();
    };
    std::erase_if(groups_, [&](const GroupValues& group) { return dropped(group.group); });
    std::erase_if(question_.tops, dropped);
  }

 private:
  void restore(const GroupValues& saved) {
    for (GroupValues& group : groups_) {
      if (group.group != saved.group) continue;
      for (auto& [name, moments] : group.values) {
        for (const auto& [other, value] : saved.values) {
          if (other == name) moments = value;
        }
      }
    }
  }

  static void add(GroupValues& group, const std::vector<Moments>& window) {
    for (std::size_t k = 0; k < window.size(); ++k) {
      if (window[k].count > 0) group.values[2 * k].second.add(window[k].mean);
      if (window[k].count > 1) group.values[2 * k + 1].second.add(window[k].standard_deviation());
    }
  }

  WindowSource source_;
  WindowQuestion question_;
  std::string of_;
  std::shared_ptr<WindowPasses> passes_;
  std::uint64_t seed_;
  std::uint64_t trials_ = 0;
  std::vector<GroupValues> groups_;
};

}  // namespace

std::span<const GridKey> HeadsKind::keys() const {
  using Type = GridKey::Type;
  static const std::vector<GridKey> keys = {
      {"model", Type::text, "", "folder with model.onnx, vocab.json and merges.txt; empty: the bundled one"},
      {"text", Type::text, "", "UTF-8 text; empty: Moby-Dick"},
      {"length", Type::whole, {}, "L, tokens of a window"},
      {"bos", Type::whole, 0.0, "1: the end-of-text token in front"},
      {"vectors", Type::text, "embedding", "embedding, hidden, value or isotropic"},
      {"normalize", Type::whole, 1.0, "0: keep the vectors' lengths"},
      {"match", Type::text, "none", "what the normalizer's temperature is fitted to: none, entropy or max-weight"},
      {"temperature", Type::number, 1.0, "on top of the heads' own scale, where none is fitted"},
      {"normalizer", Type::text, "softmax", "of list normalizers"},
      {"top", Type::whole, {}, "N, tokens selected; all N of a cell are measured on the same weights"}};
  return keys;
}

std::vector<std::string> HeadsKind::quantities() const {
  std::vector<std::string> all;
  for (const std::string& name : window_quantities()) {
    all.push_back(name);
    all.push_back(name + "_sd");
  }
  return all;
}

std::string HeadsKind::text_of(const WindowSource& source, const WindowQuestion& question) const {
  const auto labelled = [](const std::string& name, const char* empty) { return name.empty() ? empty : name; };
  return fmt::format(
      "model={};text={};length={};bos={};vectors={};normalize={};match={};temperature={};normalizer={}",
      inputs_->of(labelled(source.model, "the bundled model"), [&] { return model_digest(source.model); }),
      inputs_->of(labelled(source.text, "Moby-Dick"), [&] { return model::sha256_file(text_path(source.text)); }),
      source.length, source.bos ? 1 : 0, question.vectors, question.normalize ? 1 : 0, question.match,
      question.temperature, question.normalizer);
}

verify::sweep::Kind::Identity HeadsKind::identify(std::span<const Value> point,
                                                  std::span<const std::uint64_t> groups) const {
  const WindowSource source = source_at(point);
  const WindowQuestion question = checked(question_at(point, groups), source.length);
  // By the grid alone, as which part of it a shard gets must not depend on what can be read here: some 144 heads.
  const auto l = static_cast<double>(source.length);
  return {text_of(source, question), (question.match == "none" ? 1 : 3) * 1.5e-6 * l * l + 6e-4 * l};
}

std::unique_ptr<verify::sweep::CellWork> HeadsKind::begin(std::span<const Value> point,
                                                          std::span<const std::uint64_t> groups, std::uint64_t seed,
                                                          const Record* saved) const {
  WindowSource source = source_at(point);
  WindowQuestion question = checked(question_at(point, groups), source.length);
  std::string of = text_of(source, question);
  return std::make_unique<HeadsWork>(std::move(source), std::move(question), std::move(of), passes_, seed, saved);
}

}  // namespace headroom::app
