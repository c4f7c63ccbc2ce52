# headroom_room(NAME SOURCES ... [PUBLIC libs] [PRIVATE libs]): one folder, one library headroom::NAME.
include(GNUInstallDirs)

function(headroom_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(target headroom_${name})
  add_library(${target} STATIC ${ROOM_SOURCES})
  add_library(headroom::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/headroom>)
  target_link_libraries(${target} PUBLIC ${ROOM_PUBLIC} PRIVATE ${ROOM_PRIVATE} $<BUILD_INTERFACE:headroom_options>)
  set_property(GLOBAL APPEND PROPERTY HEADROOM_ROOMS ${target})
endfunction()
