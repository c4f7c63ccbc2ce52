# ONNX Runtime: the system package, an unpacked release (-DONNXRUNTIME_ROOT), or what scripts/setup put aside.
set(ONNXRUNTIME_ROOT "" CACHE PATH "Unpacked ONNX Runtime release: include/ and lib/")
set(_hints "${ONNXRUNTIME_ROOT}" "$ENV{ONNXRUNTIME_ROOT}" "/opt/headroom/onnxruntime")
find_path(OnnxRuntime_INCLUDE_DIR onnxruntime_cxx_api.h HINTS ${_hints}
          PATH_SUFFIXES include include/onnxruntime include/onnxruntime/core/session)
find_library(OnnxRuntime_LIBRARY NAMES onnxruntime libonnxruntime.so.1 HINTS ${_hints} PATH_SUFFIXES lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OnnxRuntime REQUIRED_VARS OnnxRuntime_LIBRARY OnnxRuntime_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run scripts/setup, or name an unpacked release with -DONNXRUNTIME_ROOT, or use the minimal preset")
if(OnnxRuntime_FOUND AND NOT TARGET OnnxRuntime::OnnxRuntime)
  add_library(OnnxRuntime::OnnxRuntime SHARED IMPORTED)
  set_target_properties(OnnxRuntime::OnnxRuntime PROPERTIES IMPORTED_LOCATION "${OnnxRuntime_LIBRARY}"
                                                            INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${OnnxRuntime_INCLUDE_DIR}")
endif()
