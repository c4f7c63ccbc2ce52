#pragma once

#include <onnxruntime_cxx_api.h>

#include <atomic>
#include <cstddef>

namespace headroom::model {

/// Memory for ONNX Runtime's tensors that never exceeds what its users have reserved: a graph can compute any shape
/// before it makes a tensor of it, so no look at the graph bounds what a run takes. Beyond the sum of the reservations
/// an allocation throws std::bad_alloc, which ONNX Runtime hands on as a failure of the run. Threads may share it.
class OnnxMemory : public OrtAllocator {
 public:
  OnnxMemory();
  OnnxMemory(const OnnxMemory&) = delete;
  OnnxMemory& operator=(const OnnxMemory&) = delete;

  /// Number of allocations refused so far.
  [[nodiscard]] std::size_t refusals() const { return refusals_; }

  /// Room for `bytes` more while it lives.
  class Reservation {
   public:
    Reservation(OnnxMemory& memory, std::size_t bytes);
    ~Reservation();
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

   private:
    OnnxMemory& memory_;
    std::size_t bytes_;
  };

 private:
  void* allocate(std::size_t bytes);
  void release(void* block);

  Ort::MemoryInfo info_;
  std::atomic<std::size_t> reserved_ = 0;
  std::atomic<std::size_t> used_ = 0;
  std::atomic<std::size_t> refusals_ = 0;
};

/// ONNX Runtime has one environment a process, and so one memory that all sessions share. It keeps silent.
class OnnxEnvironment {
 public:
  static OnnxEnvironment& instance();

  [[nodiscard]] Ort::Env& env() { return env_; }
  [[nodiscard]] OnnxMemory& memory() { return memory_; }

 private:
  OnnxEnvironment();

  OnnxMemory memory_;
  Ort::Env env_;
};

}  // namespace headroom::model
