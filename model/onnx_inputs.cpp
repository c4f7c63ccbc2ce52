#include "model/onnx_inputs.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <unordered_set>

#include "core/error.hpp"

namespace headroom::model {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool is_integer(int type) { return type == onnx::TensorProto::INT64 || type == onnx::TensorProto::INT32; }

}  // namespace

std::optional<ModelInputs::Role> ModelInputs::role_of(std::string_view name) {
  if (name == "input_ids") return Role::tokens;
  if (contains(name, "use_cache")) return Role::off;
  if (contains(name, "past")) return Role::past;
  if (contains(name, "encoder") || contains(name, "decoder")) return std::nullopt;
  if (contains(name, "mask")) return Role::mask;
  if (contains(name, "position")) return Role::positions;
  if (contains(name, "type") || contains(name, "segment")) return Role::zeros;
  return std::nullopt;
}

ModelInputs::ModelInputs(const onnx::GraphProto& proto, const std::string& place) : place_(place) {
  static constexpr const char* kFilled[] = {"the tokens", "ones", "0, 1, 2, ...", "zeros", "nothing (empty)", "false"};
  std::unordered_set<std::string_view> stored;
  for (const onnx::TensorProto& initializer : proto.initializer()) stored.insert(initializer.name());
  std::vector<std::size_t> unknown;
  for (const onnx::ValueInfoProto& value : proto.input()) {
    if (stored.contains(value.name())) continue;  // a weight with a default, as old exports list them
    Entry entry;
    entry.input.name = value.name();
    entry.input.type = value.type().tensor_type().elem_type();
    for (const onnx::TensorShapeProto::Dimension& dim : value.type().tensor_type().shape().dim()) {
      Axis axis;
      if (dim.has_dim_value() && dim.dim_value() >= 0) axis.extent = dim.dim_value();
      axis.symbol = dim.dim_param();
      entry.input.axes.push_back(axis.extent ? std::to_string(*axis.extent) : axis.symbol.empty() ? "?" : axis.symbol);
      entry.axes.push_back(std::move(axis));
    }
    const std::optional<Role> role = role_of(value.name());
    if (!role) unknown.push_back(inputs_.size());
    entry.role = role.value_or(Role::tokens);
    check_extents(entry);
    entry.input.filled_with = kFilled[static_cast<std::size_t>(entry.role)];
    inputs_.push_back(std::move(entry));
  }
  const auto named =
      std::find_if(inputs_.begin(), inputs_.end(), [](const Entry& entry) { return entry.input.name == "input_ids"; });
  const bool has_ids = named != inputs_.end();
  if (!has_ids && unknown.size() == 1 && is_integer(inputs_[unknown[0]].input.type)) {
    tokens_ = unknown[0];
    unknown.clear();
  } else if (has_ids) {
    tokens_ = static_cast<std::size_t>(named - inputs_.begin());
  }
  if (!unknown.empty()) {
    throw_input("headroom does not know what to feed to input '" + inputs_[unknown[0]].input.name + "'", place,
                "export a model that takes input_ids, and if need be masks, positions, token types and an empty past");
  }
  if (inputs_.empty() || inputs_[tokens_].role != Role::tokens || !is_integer(inputs_[tokens_].input.type)) {
    throw_input("the model has no input of integers for the tokens", place, "export a model that takes input_ids");
  }
  choose_tokens();
}

void ModelInputs::check_extents(const Entry& entry) const {
  double count = 1;
  for (const Axis& axis : entry.axes) count *= static_cast<double>(axis.extent.value_or(1));
  const std::size_t rank = entry.axes.size();
  const bool filled_past = entry.role == Role::past && rank >= 4 && entry.axes[rank - 2].extent.value_or(0) > 0;
  if (count > kMostFed || filled_past) {
    throw_input("input '" + entry.input.name + "' has a fixed extent that cannot be filled", place_,
                "export with dynamic axes");
  }
}

void ModelInputs::choose_tokens() {
  const Entry& entry = inputs_[tokens_];
  const std::size_t rank = entry.axes.size();
  if (rank != 1 && rank != 2) {
    throw_input("the token input '" + entry.input.name + "' has " + std::to_string(rank) + " axes", place_,
                "export a model that takes input_ids of shape (batch, sequence)");
  }
  const std::optional<std::int64_t> batch = rank == 2 ? entry.axes[0].extent : std::optional<std::int64_t>(1);
  const std::optional<std::int64_t> length = entry.axes.back().extent;
  if ((batch && (*batch < 1 || *batch > 1024)) || (length && (*length < 1 || *length > (1 << 24)))) {
    throw_input("the token input '" + entry.input.name + "' has an axis of unusable extent", place_,
                "export with dynamic axes");
  }
  batch_ = static_cast<std::size_t>(batch.value_or(1));
  if (length) fixed_length_ = static_cast<std::size_t>(*length);
}

std::int64_t ModelInputs::extent(const Entry& entry, std::size_t axis, std::int64_t length) const {
  const Axis& which = entry.axes[axis];
  if (which.extent) return *which.extent;
  const auto batch = static_cast<std::int64_t>(batch_);
  const std::size_t rank = entry.axes.size();
  const std::size_t from_end = rank - axis;
  switch (entry.role) {
    case Role::past:
      // (batch, heads, past, d), or all layers' keys and values stacked before that.
      return contains(which.symbol, "batch") || (which.symbol.empty() && axis + 4 == rank) ? batch : 0;
    case Role::mask:
      // (batch, tokens) or (batch, 1, queries, tokens)
      if (rank == 4) return axis == 0 ? batch : axis == 1 ? 1 : length;
      return from_end == 1 ? length : batch;
    case Role::off:
      return 1;
    default:
      return from_end == 1 ? length : batch;
  }
}

std::vector<ModelInput> ModelInputs::describe() const {
  std::vector<ModelInput> result;
  for (const Entry& entry : inputs_) result.push_back(entry.input);
  return result;
}

std::vector<Feed> ModelInputs::feeds(std::span<const std::int64_t> ids, std::span<const std::string> needed) const {
  const auto length = static_cast<std::int64_t>(ids.size());
  std::vector<Feed> result;
  double fed = 0;
  for (const Entry& entry : inputs_) {
    if (std::find(needed.begin(), needed.end(), entry.input.name) == needed.end()) continue;
    Feed feed{entry.input.name, entry.input.type, {}, {}};
    double elements = 1;
    for (std::size_t axis = 0; axis < entry.axes.size(); ++axis) {
      feed.shape.push_back(extent(entry, axis, length));
      elements *= static_cast<double>(feed.shape.back());
    }
    fed += elements;
    if (!(fed <= kMostFed)) {
      throw_input("the inputs up to '" + entry.input.name + "' take more than 2^26 elements", place_,
                  "ask for a shorter sequence");
    }
    const auto count = static_cast<std::size_t>(elements);
    const bool additive =
        entry.role == Role::mask && entry.axes.size() == 4 && entry.input.type == onnx::TensorProto::FLOAT;
    feed.values.assign(count, entry.role == Role::mask && !additive ? 1 : 0);
    const std::size_t row = feed.shape.empty() ? 1 : static_cast<std::size_t>(feed.shape.back());
    for (std::size_t i = 0; i < count; ++i) {
      if (entry.role == Role::positions) feed.values[i] = static_cast<std::int64_t>(i % row);
      if (entry.role == Role::tokens) feed.values[i] = ids[i % ids.size()];
    }
    result.push_back(std::move(feed));
  }
  return result;
}

}  // namespace headroom::model
