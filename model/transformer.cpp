#include "model/transformer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "model/onnx_session.hpp"
#include "model/transformer_plan.hpp"

namespace headroom::model {
namespace {

/// Hands out the results of a run; a tensor is kept until its last reader has had it.
class ResultCache {
 public:
  ResultCache(SessionResults results, const std::vector<std::size_t>& readings) : results_(std::move(results)) {
    for (const std::size_t position : readings) ++readers_[position];
  }

  /// Called once per reader and block.
  void release(const std::vector<std::size_t>& readings) {
    for (const std::size_t position : readings) {
      if (--readers_[position] == 0) tensors_.erase(position);
    }
  }

  std::shared_ptr<const Tensor> get(std::size_t position) {
    std::shared_ptr<const Tensor>& tensor = tensors_[position];
    if (!tensor) tensor = std::make_shared<const Tensor>(results_.take(position));
    return tensor;
  }

 private:
  SessionResults results_;
  std::map<std::size_t, std::size_t> readers_;
  std::map<std::size_t, std::shared_ptr<const Tensor>> tensors_;
};

/// Ids without order, so that no lookup by token looks like one by position, and none of the few that usually are
/// padding.
std::vector<std::int64_t> prompt(std::size_t length, std::optional<std::size_t> vocabulary) {
  constexpr std::size_t kSpecial = 5;
  const std::size_t known = vocabulary.value_or(100);
  const std::size_t skipped = known > 4 * kSpecial ? kSpecial : 0;
  std::vector<std::int64_t> ids(length);
  for (std::size_t i = 0; i < length; ++i) {
    ids[i] = static_cast<std::int64_t>(skipped + (i * i * 7919 + i * 31 + 11) % (known - skipped));
  }
  return ids;
}

std::size_t distinct_keys(const Activations& activations, std::size_t layer) {
  std::size_t count = 0;
  for (std::size_t head = 0; head < activations.heads(layer); ++head) {
    const MatrixView<const float> own = activations.keys(layer, head);
    bool fresh = true;
    for (std::size_t earlier = 0; fresh && earlier < head; ++earlier) {
      const MatrixView<const float> other = activations.keys(layer, earlier);
      fresh = !std::equal(own.data, own.data + own.rows * own.cols, other.data);
    }
    count += fresh ? 1 : 0;
  }
  return count;
}

}  // namespace

struct Transformer::Impl {
  struct Run {
    Activations activations;
    std::vector<bool> causal;
    std::optional<std::size_t> longest;
  };

  /// Every output a pass reads, once per reader.
  std::vector<std::size_t> readings(bool probe) const;
  SessionResults execute(std::span<const std::int64_t> ids, bool probe) const;
  double room(std::size_t length) const;
  double patience(std::size_t length) const;
  Run interpret(SessionResults results, std::size_t length, bool probe) const;
  void settle();

  std::string place;
  std::optional<ModelInputs> inputs;
  std::optional<std::size_t> vocabulary;
  std::optional<std::size_t> context;
  std::vector<BlockReader> readers;
  std::optional<LengthLimits> limits;
  std::optional<std::size_t> embedding;
  std::optional<OnnxSession> session;
  std::optional<Footprint> footprint;  ///< of what a run gives, once there was one
  double weight_bytes = 0;
  std::size_t first_length = 0;  ///< of the first run
  double first_seconds = 0;      ///< that it took; 0 before it
  std::vector<AttentionBlock> blocks;
  std::vector<std::string> data_files;
};

std::vector<std::size_t> Transformer::Impl::readings(bool probe) const {
  std::vector<std::size_t> all;
  for (const BlockReader& reader : readers) {
    const std::vector<std::size_t> own = reader.outputs();
    all.insert(all.end(), own.begin(), own.end());
    all.push_back(reader.weights_output());
  }
  if (embedding) all.push_back(*embedding);
  if (!probe) return all;
  const std::vector<std::size_t> own = limits->outputs();
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

SessionResults Transformer::Impl::execute(std::span<const std::int64_t> ids, bool probe) const {
  std::vector<std::size_t> wanted = readings(probe);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return session->run(inputs->feeds(ids, session->inputs()), wanted, {room(ids.size()), patience(ids.size())});
}

/// What a run over so many tokens may take: several times what it gives, since scores and masks of the block at work
/// come on top, and enough for any graph of short sequences. Before the first run the number of heads is a guess.
double Transformer::Impl::room(std::size_t length) const {
  constexpr double kLeast = 1U << 30U;
  constexpr double kTimesResults = 4;
  constexpr double kMostHeads = 128;
  const auto pairs = static_cast<double>(length) * static_cast<double>(length);
  const double guess = static_cast<double>(readers.size()) * kMostHeads * pairs * sizeof(float);
  return kLeast + kTimesResults * (footprint ? footprint->at(length) : guess);
}

/// Seconds that a run over so many tokens may take, which no sound model comes near: a graph may hold a loop without an
/// end. The first run, which is short, may fetch every weight from a slow disk.
double Transformer::Impl::patience(std::size_t length) const {
  constexpr double kLeast = 120;
  constexpr double kSlowest = 5e7;  // bytes of weights a second
  constexpr double kTimesFirst = 1000;
  const double ratio = static_cast<double>(length) / static_cast<double>(std::max<std::size_t>(1, first_length));
  return kLeast + weight_bytes / kSlowest + kTimesFirst * first_seconds * std::max(ratio, ratio * ratio);
}

Transformer::Impl::Run Transformer::Impl::interpret(SessionResults results, std::size_t length, bool probe) const {
  ResultCache cache(std::move(results), readings(probe));
  const TensorSource tensors = [&](std::size_t position) { return cache.get(position); };
  Run run{Activations(0, {}, {}), {}, {}};
  if (probe) {
    run.longest = limits->longest(tensors, length);
    cache.release(limits->outputs());
  }
  std::vector<float> stream;
  if (embedding) {
    stream = token_rows(*tensors(*embedding), length, inputs->batch());
    cache.release({*embedding});
  }
  std::vector<BlockActivations> activations;
  for (const BlockReader& reader : readers) {
    activations.push_back(reader.read(tensors, length, inputs->batch()));
    cache.release(reader.outputs());
  }
  run.activations = Activations(length, std::move(activations), std::move(stream));
  for (std::size_t layer = 0; layer < readers.size(); ++layer) {
    run.causal.push_back(readers[layer].check(tensors, run.activations, layer));
    cache.release({readers[layer].weights_output()});
  }
  return run;
}

void Transformer::Impl::settle() {
  // Primes, so that no other extent of the model is likely to be the same; shorter ones for models of short context.
  static constexpr std::array<std::size_t, 6> kLengths = {29, 13, 7, 3, 2, 1};
  std::optional<SessionResults> given;
  std::optional<Error> first_failure;
  std::size_t length = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (std::size_t attempt = 0; !given && attempt < kLengths.size(); ++attempt) {
    length = inputs->fixed_length().value_or(kLengths[attempt]);
    try {
      given.emplace(execute(prompt(length, vocabulary), true));
    } catch (const Error& failure) {
      if (!first_failure) first_failure = failure;
      if (inputs->fixed_length() || seconds() > patience(length)) break;
    }
  }
  if (!given) throw Error(*first_failure);
  first_length = length;
  first_seconds = seconds();
  footprint = given->footprint(length);
  const Run run = interpret(std::move(*given), length, true);
  context = inputs->fixed_length() ? inputs->fixed_length() : run.longest;
  for (std::size_t layer = 0; layer < readers.size(); ++layer) {
    AttentionBlock block;
    block.layer = layer;
    block.node = readers[layer].node();
    block.heads = run.activations.heads(layer);
    block.kv_heads = distinct_keys(run.activations, layer);
    block.head_dim = run.activations.queries(layer, 0).cols;
    block.scale = run.activations.scale(layer);
    block.causal = run.causal[layer] && length > 1;
    block.bias = run.activations.has_bias(layer);
    if (!run.activations.embedding().empty()) block.vectors.emplace_back("embedding");
    if (!run.activations.hidden(layer).empty()) block.vectors.emplace_back("hidden");
    block.vectors.emplace_back("value");
    blocks.push_back(std::move(block));
  }
}

Transformer::Transformer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transformer::Transformer(Transformer&&) noexcept = default;
Transformer& Transformer::operator=(Transformer&&) noexcept = default;
Transformer::~Transformer() = default;

Transformer Transformer::load(const std::filesystem::path& path, int threads) {
  TransformerPlan plan = plan_transformer(path);
  auto impl = std::make_unique<Impl>();
  impl->place = plan.file.place;
  impl->inputs.emplace(std::move(plan.inputs));
  impl->vocabulary = plan.vocabulary;
  impl->readers = std::move(plan.readers);
  impl->limits.emplace(std::move(plan.limits));
  impl->embedding = plan.embedding;
  impl->data_files = plan.file.data_files;
  impl->weight_bytes = static_cast<double>(plan.file.bytes());
  impl->session.emplace(plan.file, std::move(plan.outputs), threads);
  impl->settle();
  return Transformer(std::move(impl));
}

const std::vector<AttentionBlock>& Transformer::blocks() const { return impl_->blocks; }
std::optional<std::size_t> Transformer::context() const { return impl_->context; }
bool Transformer::fixed_length() const { return impl_->inputs->fixed_length().has_value(); }
std::optional<std::size_t> Transformer::vocabulary() const { return impl_->vocabulary; }
const std::vector<std::string>& Transformer::data_files() const { return impl_->data_files; }
std::vector<ModelInput> Transformer::inputs() const { return impl_->inputs->describe(); }

Activations Transformer::forward(std::span<const std::int64_t> ids) const {
  const Impl& impl = *impl_;
  const std::string asked = std::to_string(ids.size()) + " tokens";
  if (ids.empty()) throw_input("a sequence without tokens", impl.place, "give at least one token");
  if (fixed_length() && ids.size() != *impl.context) {
    throw_input("the model takes sequences of exactly " + std::to_string(*impl.context) + " tokens, not " + asked,
                impl.place, "ask for that length, or export with a dynamic sequence axis");
  }
  if (impl.context && ids.size() > *impl.context) {
    throw_input(asked + " are more than the model's context of " + std::to_string(*impl.context), impl.place,
                "ask for a shorter length");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool known = ids[i] >= 0 && (!impl.vocabulary || static_cast<std::uint64_t>(ids[i]) < *impl.vocabulary);
    if (known) continue;
    throw_input("token " + std::to_string(ids[i]) + " at position " + std::to_string(i) + " is outside the vocabulary" +
                    (impl.vocabulary ? " of " + std::to_string(*impl.vocabulary) : ""),
                impl.place, "use the tokenizer the model was trained with");
  }
  return impl.interpret(impl.execute(ids, false), ids.size(), false).activations;
}

}  // namespace headroom::model
