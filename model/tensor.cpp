#include "model/tensor.hpp"

namespace headroom::model {

std::vector<float> token_rows(const Tensor& tensor, std::size_t length, std::size_t batch) {
  if (tensor.shape.size() < 2 || tensor.values.size() != batch * length * tensor.shape.back()) return {};
  const auto count = static_cast<std::ptrdiff_t>(length * tensor.shape.back());
  return {tensor.values.begin(), tensor.values.begin() + count};
}

}  // namespace headroom::model
