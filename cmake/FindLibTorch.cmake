# LibTorch::LibTorch, PyTorch's C++ library. Its own package configuration wants compilers and libraries of its build.
find_path(LibTorch_INCLUDE_DIR torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
find_path(LibTorch_ATEN_INCLUDE_DIR ATen/ATen.h)
find_library(LibTorch_LIBRARY torch)
find_library(LibTorch_CPU_LIBRARY torch_cpu)
find_library(LibTorch_C10_LIBRARY c10)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_LIBRARY LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY
                                                         LibTorch_INCLUDE_DIR LibTorch_ATEN_INCLUDE_DIR)
if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE ${LibTorch_INCLUDE_DIR} ${LibTorch_ATEN_INCLUDE_DIR})
  target_link_libraries(LibTorch::LibTorch INTERFACE ${LibTorch_LIBRARY} ${LibTorch_CPU_LIBRARY} ${LibTorch_C10_LIBRARY})
endif()
