#include <memory>
#include <oneapi/dnnl/dnnl.hpp>

#include "bench/peer.hpp"

namespace headroom::bench {
namespace {

struct Softmax {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::softmax_v2_forward primitive;
  dnnl::memory from;
  dnnl::memory to;
};

}  // namespace

std::vector<Peer> onednn_softmax(float* logits, float* weights, std::size_t rows, std::size_t n, int /*threads*/) {
  using dnnl::memory;
  auto softmax = std::make_shared<Softmax>();
  const memory::desc shape({static_cast<memory::dim>(rows), static_cast<memory::dim>(n)}, memory::data_type::f32,
                           memory::format_tag::ab);
  const dnnl::softmax_v2_forward::desc what(dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate,
                                            shape, shape, 1);
  softmax->primitive = dnnl::softmax_v2_forward({what, softmax->engine});
  softmax->from = memory(shape, softmax->engine, logits);
  softmax->to = memory(shape, softmax->engine, weights);
  return {{"onednn", [softmax] {  // on OpenMP's threads
             softmax->primitive.execute(softmax->stream, {{DNNL_ARG_SRC, softmax->from}, {DNNL_ARG_DST, softmax->to}});
             softmax->stream.wait();
           }}};
}

}  // namespace headroom::bench
