# Compiler settings every target of the project shares.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The installed program finds ONNX Runtime where it was linked, which need not be a folder of the system.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

add_library(headroom_options INTERFACE)
# Without contraction off, the compiler may fuse a product into a sum on one target and not on another,
# and the same seed would give other bytes on AVX2 and AVX-512.
target_compile_options(headroom_options INTERFACE -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow)
# GCC 12 and 13 warn of overlapping copies in std::string's own operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(headroom_options INTERFACE -Wno-restrict)
endif()
if(HEADROOM_WERROR)
  target_compile_options(headroom_options INTERFACE -Werror)
endif()
if(HEADROOM_NATIVE)
  target_compile_options(headroom_options INTERFACE -march=native)
endif()
if(HEADROOM_SANITIZE)
  target_compile_options(headroom_options INTERFACE -fsanitize=${HEADROOM_SANITIZE} -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(headroom_options INTERFACE -fsanitize=${HEADROOM_SANITIZE})
endif()
if(HEADROOM_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "HEADROOM_FUZZ needs clang, which libFuzzer comes with: use the fuzz preset")
  endif()
  target_compile_options(headroom_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(headroom_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
