#include "model/onnx_memory.hpp"

#include <malloc.h>

#include <new>

#include "core/page_array.hpp"

namespace headroom::model {
namespace {

void discard_log(void*, OrtLoggingLevel, const char*, const char*, const char*, const char*) {}

}  // namespace

OnnxMemory::OnnxMemory() : OrtAllocator{}, info_(Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault)) {
  version = ORT_API_VERSION;
  Alloc = [](OrtAllocator* self, std::size_t bytes) { return static_cast<OnnxMemory*>(self)->allocate(bytes); };
  Reserve = Alloc;
  Free = [](OrtAllocator* self, void* block) { static_cast<OnnxMemory*>(self)->release(block); };
  Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* { return static_cast<const OnnxMemory*>(self)->info_; };
}

void* OnnxMemory::allocate(std::size_t bytes) {
  const std::size_t before = used_.fetch_add(bytes);
  try {
    // The sum alone may wrap around.
    if (bytes > reserved_ || before + bytes > reserved_) throw std::bad_alloc();
    std::byte* block = PageBlock::allocate(bytes).release();
    used_ += ::malloc_usable_size(block) - bytes;
    return block;
  } catch (const std::bad_alloc&) {
    used_ -= bytes;
    ++refusals_;
    throw;
  }
}

void OnnxMemory::release(void* block) {
  const PageBlock::Pointer whole(static_cast<std::byte*>(block));
  used_ -= ::malloc_usable_size(block);
}

OnnxMemory::Reservation::Reservation(OnnxMemory& memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {
  memory_.reserved_ += bytes_;
}

OnnxMemory::Reservation::~Reservation() { memory_.reserved_ -= bytes_; }

OnnxEnvironment& OnnxEnvironment::instance() {
  static OnnxEnvironment environment;
  return environment;
}

OnnxEnvironment::OnnxEnvironment() : env_(ORT_LOGGING_LEVEL_FATAL, "headroom", discard_log, nullptr) {
  Ort::ThrowOnError(Ort::GetApi().RegisterAllocator(env_, &memory_));
}

}  // namespace headroom::model
