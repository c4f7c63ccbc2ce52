# headroom_tests(ROOM SOURCES ... [LINK libs]): one Catch2 program per room, one CTest entry per test case.
# A test case tagged [slow] gets the label "slow"; HEADROOM_SHARED names the folder with reference data, where it exists.
include(Catch)
add_library(headroom_test_main STATIC ${PROJECT_SOURCE_DIR}/tests/main.cpp)
target_link_libraries(headroom_test_main PUBLIC Catch2::Catch2 headroom_options)
target_include_directories(headroom_test_main PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR})
set(HEADROOM_SHARED "${PROJECT_SOURCE_DIR}/../shared" CACHE PATH "Reference data for the tests; skipped when absent")

# A test name that matches no test case must fail: Catch2 3 does so by itself, 2.13 when asked.
set(_one_case "")
if(Catch2_VERSION VERSION_LESS 3)
  set(_one_case EXTRA_ARGS --warn NoTests)
endif()

function(headroom_tests room)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK" ${ARGN})
  set(target headroom_${room}_tests)
  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE headroom_test_main ${TEST_LINK})
  target_compile_definitions(${target} PRIVATE HEADROOM_SHARED="${HEADROOM_SHARED}"
                                               HEADROOM_SOURCE="${PROJECT_SOURCE_DIR}")
  catch_discover_tests(${target} TEST_SPEC "~[slow]" ${_one_case} TEST_PREFIX "${room}/" PROPERTIES TIMEOUT 300)
  # Catch2 warns when asked for the slow cases of a program that has none, so the sources are asked first.
  foreach(source ${TEST_SOURCES})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} slow REGEX "\\[slow\\]")
    if(slow)
      catch_discover_tests(${target} TEST_SPEC "[slow]" ${_one_case} TEST_PREFIX "${room}/"
                           PROPERTIES LABELS slow TIMEOUT 1200)
      break()
    endif()
  endforeach()
endfunction()
