# find_package(headroom) gives headroom::core, headroom::theory and so on.
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY HEADROOM_ROOMS)
install(TARGETS ${rooms} EXPORT headroomTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT headroomTargets NAMESPACE headroom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
foreach(room core theory sim model verify)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/headroom
          FILES_MATCHING PATTERN "*.hpp" PATTERN "assets" EXCLUDE)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/headroomConfig.cmake.in headroomConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
write_basic_package_version_file(headroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/headroomConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/headroomConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindRandom123.cmake ${PROJECT_SOURCE_DIR}/cmake/FindPCRE2.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindOnnxRuntime.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
