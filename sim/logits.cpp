#include "sim/logits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace headroom::sim {
namespace {

void fill_gaussian(Stream& stream, std::span<double> logits, double sigma) {
  stream.normals(logits);
  for (double& l : logits) l *= sigma;
}

/// Independent normals, the first `raised` of them lifted by `margin`.
class Planted final : public LogitModel {
 public:
  Planted(std::string name, double sigma, std::size_t raised, double margin)
      : LogitModel(std::move(name)), sigma_(sigma), raised_(raised), margin_(margin) {}

  void fill(Stream& stream, std::span<double> logits) const override {
    if (raised_ > logits.size()) {
      throw_usage("k = " + std::to_string(raised_) + " raised tokens among " + std::to_string(logits.size()),
                  "logit model " + name(), "k must not exceed the length");
    }
    fill_gaussian(stream, logits, sigma_);
    for (double& l : logits.first(raised_)) l += margin_;
  }

 private:
  double sigma_;
  std::size_t raised_;
  double margin_;
};

/// scale·√d·q·k_i with the query and the keys uniform on the unit sphere of R^d.
class Dot final : public LogitModel {
 public:
  Dot(std::string name, double scale, std::size_t dim)
      : LogitModel(std::move(name)), factor_(scale * std::sqrt(static_cast<double>(dim))), dim_(dim) {}

  void fill(Stream& stream, std::span<double> logits) const override {
    std::vector<double> query(dim_);
    fill_sphere(stream, MatrixView<double>(query.data(), 1, dim_));
    constexpr std::size_t batch = 64;  // keys held at a time
    std::vector<double> keys(std::min(batch, logits.size()) * dim_);
    for (std::size_t first = 0; first < logits.size(); first += batch) {
      const std::size_t count = std::min(batch, logits.size() - first);
      fill_sphere(stream, MatrixView<double>(keys.data(), count, dim_));
      for (std::size_t i = 0; i < count; ++i) {
        const double* key = keys.data() + i * dim_;
        logits[first + i] = factor_ * std::inner_product(query.begin(), query.end(), key, 0.0);
      }
    }
  }

 private:
  double factor_;
  std::size_t dim_;
};

/// −s·log(rank), the ranks a uniform permutation (Fisher–Yates).
class Zipf final : public LogitModel {
 public:
  Zipf(std::string name, double s) : LogitModel(std::move(name)), s_(s) {}

  void fill(Stream& stream, std::span<double> logits) const override {
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = -s_ * std::log(static_cast<double>(i + 1));
    for (std::size_t i = logits.size(); i > 1; --i) std::swap(logits[i - 1], logits[stream.below(i)]);
  }

 private:
  double s_;
};

/// Independent normals, the first logit set so that softmax at T = 1 gives it the share:
/// l_0 = log(share/(1−share)) + log Σ_{j>0} exp l_j.
class Sink final : public LogitModel {
 public:
  Sink(std::string name, double share, double sigma)
      : LogitModel(std::move(name)), log_odds_(std::log(share) - std::log1p(-share)), sigma_(sigma) {}

  void fill(Stream& stream, std::span<double> logits) const override {
    fill_gaussian(stream, logits, sigma_);
    if (logits.size() < 2) return;  // a single token has every share
    const std::span<double> others = logits.subspan(1);
    const double top = *std::max_element(others.begin(), others.end());
    double sum = 0;
    for (const double l : others) sum += std::exp(l - top);
    logits[0] = log_odds_ + top + std::log(sum);
  }

 private:
  double log_odds_;
  double sigma_;
};

/// Softmax weights at T = 1: the first k equal, `low` each for the rest. No randomness.
class Step final : public LogitModel {
 public:
  Step(std::string name, std::size_t k, double low) : LogitModel(std::move(name)), k_(k), low_(low) {}

  void fill(Stream& /*stream*/, std::span<double> logits) const override {
    const std::size_t high = std::min(k_, logits.size());
    const double rest = static_cast<double>(logits.size() - high) * low_;
    if (!(rest < 1)) {
      throw_usage("low = " + spec_number() + " for " + std::to_string(logits.size() - high) + " tokens leaves nothing",
                  "logit model " + name(), "low must be under 1/(length - k)");
    }
    const double level = (1 - rest) / static_cast<double>(high);
    std::fill(logits.begin(), logits.end(), std::log(low_));
    std::fill_n(logits.begin(), high, std::log(level));
  }

 private:
  [[nodiscard]] std::string spec_number() const { return Spec(name(), "logit model", logit_model_list()).text("low"); }

  std::size_t k_;
  double low_;
};

class Recorded final : public LogitModel {
 public:
  Recorded(std::string name, std::vector<std::vector<double>> rows)
      : LogitModel(std::move(name)), rows_(std::move(rows)) {
    std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  }

  void fill(Stream& stream, std::span<double> logits) const override {
    const auto end =
        std::partition_point(rows_.begin(), rows_.end(), [&](const auto& row) { return row.size() >= logits.size(); });
    if (end == rows_.begin()) {
      throw_usage("no recorded row is as long as " + std::to_string(logits.size()), "logit model " + name(),
                  "the longest has " + std::to_string(rows_.front().size()) + " tokens");
    }
    const auto& row = rows_[stream.below(static_cast<std::uint64_t>(end - rows_.begin()))];
    std::copy_n(row.begin(), logits.size(), logits.begin());
  }

 private:
  std::vector<std::vector<double>> rows_;  // the longest first
};

double not_negative(const Spec& spec, const char* key) {
  const double value = spec.number(key);
  if (!(value >= 0)) spec.reject(key, "a number of at least 0");
  return value;
}

double within_one(const Spec& spec, const char* key) {
  const double value = spec.number(key);
  if (!(value > 0 && value < 1)) spec.reject(key, "a number above 0 and below 1");
  return value;
}

Spec parse(std::string_view text) { return Spec(text, "logit model", logit_model_list()); }

}  // namespace

std::span<const EntryInfo> logit_model_list() {
  const std::string here = "this project";
  static const std::vector<EntryInfo> list = {
      {"gaussian", {{"sigma", "1", "standard deviation, at least 0"}}, "independent normals", here},
      {"dot",
       {{"scale", "1", "any number; 1 gives unit variance"}},
       "scale sqrt(d) q.k, q and k uniform on the unit sphere",
       "Assumption 1 of Mudarisov et al. 2025, arXiv 2508.17821, for queries and keys"},
      {"planted",
       {{"k", "4", "how many tokens are raised, at least 1"},
        {"m", "2", "by how much"},
        {"sigma", "1", "standard deviation, at least 0"}},
       "gaussian, the first k tokens raised by m",
       here},
      {"zipf", {{"s", "1", "exponent, at least 0"}}, "-s log(rank), ranks permuted at random", here},
      {"sink",
       {{"share", "0.5", "above 0 and below 1"}, {"sigma", "1", "standard deviation, at least 0"}},
       "gaussian, the first token set so that softmax at T = 1 gives it the share",
       here},
      {"step",
       {{"k", "64", "how many equal weights, at least 1"}, {"low", "1e-6", "the other weights, above 0 and below 1"}},
       "softmax weights at T = 1: the first k equal, the rest low",
       here},
      {"file", {{"path", "", "what reproduce recorded"}}, "rows of recorded heads, one drawn at random", here, true},
  };
  return list;
}

std::unique_ptr<const LogitModel> make_logit_model(std::string_view text, std::size_t dim) {
  const Spec spec = parse(text);
  const std::string name = spec.canonical();
  const std::string& id = spec.id();
  if (id == "gaussian") return std::make_unique<Planted>(name, not_negative(spec, "sigma"), 0, 0);
  if (id == "dot") {
    if (dim == 0) throw_usage("no dimension", "logit model dot", "it needs --dim of at least 1");
    return std::make_unique<Dot>(name, spec.number("scale"), dim);
  }
  if (id == "planted") {
    return std::make_unique<Planted>(name, not_negative(spec, "sigma"), spec.count("k", 1), spec.number("m"));
  }
  if (id == "zipf") return std::make_unique<Zipf>(name, not_negative(spec, "s"));
  if (id == "sink") return std::make_unique<Sink>(name, within_one(spec, "share"), not_negative(spec, "sigma"));
  if (id == "step") return std::make_unique<Step>(name, spec.count("k", 1), within_one(spec, "low"));
  throw_usage("recorded logits are not available here", "logit model " + name,
              "use simulate or sweep, which read the file");
}

std::string recorded_path(std::string_view text) {
  const Spec spec = parse(text);
  return spec.id() == "file" ? spec.text("path") : std::string();
}

std::unique_ptr<const LogitModel> recorded_logits(std::string name, std::vector<std::vector<double>> rows) {
  if (rows.empty()) throw_input("no recorded rows", "logit model " + name, "record some with reproduce");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      if (std::isnan(rows[r][i]) || rows[r][i] == std::numeric_limits<double>::infinity()) {
        throw_input("a recorded logit is NaN or +inf",
                    "logit model " + name + ", row " + std::to_string(r) + ", column " + std::to_string(i),
                    "logits must be finite, or -inf for a masked token");
      }
    }
  }
  return std::make_unique<Recorded>(std::move(name), std::move(rows));
}

}  // namespace headroom::sim
