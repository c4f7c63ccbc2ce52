#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnx {
class GraphProto;
}

namespace headroom::model {

/// One input of a model, as `inspect` tells it.
struct ModelInput {
  std::string name;
  int type = 0;                   ///< element type, an onnx::TensorProto::DataType
  std::vector<std::string> axes;  ///< extent or symbol of each axis; "?" for an unnamed one
  std::string filled_with;        ///< what headroom feeds
};

/// What is handed to the runtime for one input.
struct Feed {
  std::string name;
  int type = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> values;  ///< converted to the type on the way
};

/// Knows every input of a model and fills it for a sequence of tokens. Besides the tokens (input_ids, or the only
/// matrix of integers no other rule applies to): attention masks are all ones (additive float masks of four axes all
/// zeros), positions count from zero, token types are zero, past keys and values are empty, and cache switches are off.
/// A batch axis of fixed extent repeats the sequence.
class ModelInputs {
 public:
  /// Elements of all feeds together: a mask of 8,192 x 8,192.
  static constexpr double kMostFed = 1U << 26U;

  /// Errors (Fault::input, at `place`): no token input; an input none of the above fills (named); an axis of a fixed
  /// past that is not empty.
  ModelInputs(const onnx::GraphProto& proto, const std::string& place);

  [[nodiscard]] const std::string& tokens() const { return inputs_[tokens_].input.name; }
  [[nodiscard]] std::size_t batch() const { return batch_; }

  /// The only length the model takes, when its sequence axis is fixed.
  [[nodiscard]] std::optional<std::size_t> fixed_length() const { return fixed_length_; }

  [[nodiscard]] std::vector<ModelInput> describe() const;

  /// Feeds for the inputs named in `needed`.
  /// Errors (Fault::input, at `place`): more than kMostFed elements in all.
  [[nodiscard]] std::vector<Feed> feeds(std::span<const std::int64_t> ids, std::span<const std::string> needed) const;

 private:
  enum class Role { tokens, mask, positions, zeros, past, off };

  struct Axis {
    std::optional<std::int64_t> extent;
    std::string symbol;
  };

  struct Entry {
    ModelInput input;
    Role role = Role::tokens;
    std::vector<Axis> axes;
  };

  [[nodiscard]] static std::optional<Role> role_of(std::string_view name);
  [[nodiscard]] std::int64_t extent(const Entry& entry, std::size_t axis, std::int64_t length) const;
  void check_extents(const Entry& entry) const;
  void choose_tokens();

  std::string place_;
  std::vector<Entry> inputs_;
  std::size_t tokens_ = 0;
  std::size_t batch_ = 1;
  std::optional<std::size_t> fixed_length_;
};

}  // namespace headroom::model
