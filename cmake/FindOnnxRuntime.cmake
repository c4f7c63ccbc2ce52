# ONNX Runtime: an unpacked release (-DONNXRUNTIME_ROOT), else the system package, else what scripts/setup put aside.
set(ONNXRUNTIME_ROOT "" CACHE PATH "Unpacked ONNX Runtime release: include/ and lib/")
set(_named "${ONNXRUNTIME_ROOT}" "$ENV{ONNXRUNTIME_ROOT}")
set(_set_up "$ENV{HEADROOM_DEPS}/onnxruntime" "/opt/headroom/onnxruntime")
find_path(OnnxRuntime_INCLUDE_DIR onnxruntime_cxx_api.h HINTS ${_named} PATHS ${_set_up}
          PATH_SUFFIXES include onnxruntime include/onnxruntime onnxruntime/core/session include/onnxruntime/core/session)
find_library(OnnxRuntime_LIBRARY NAMES onnxruntime libonnxruntime.so.1 HINTS ${_named} PATHS ${_set_up} PATH_SUFFIXES lib)

# The version of the API that the headers ask for; the library may be newer.
if(OnnxRuntime_INCLUDE_DIR)
  file(STRINGS "${OnnxRuntime_INCLUDE_DIR}/onnxruntime_c_api.h" _api REGEX "^#define ORT_API_VERSION [0-9]+")
  string(REGEX REPLACE "^#define ORT_API_VERSION " "1." OnnxRuntime_VERSION "${_api}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OnnxRuntime REQUIRED_VARS OnnxRuntime_LIBRARY OnnxRuntime_INCLUDE_DIR
  VERSION_VAR OnnxRuntime_VERSION
  REASON_FAILURE_MESSAGE "run scripts/setup, or name an unpacked release with -DONNXRUNTIME_ROOT, or use the minimal preset")
mark_as_advanced(OnnxRuntime_INCLUDE_DIR OnnxRuntime_LIBRARY)
if(OnnxRuntime_FOUND AND NOT TARGET OnnxRuntime::OnnxRuntime)
  add_library(OnnxRuntime::OnnxRuntime SHARED IMPORTED)
  set_target_properties(OnnxRuntime::OnnxRuntime PROPERTIES IMPORTED_LOCATION "${OnnxRuntime_LIBRARY}"
                                                            INTERFACE_INCLUDE_DIRECTORIES "${OnnxRuntime_INCLUDE_DIR}")
endif()
