# The page of a report: its modules joined, and linked into the program with Plotly.
# HEADROOM_PLOTLY names plotly-cartesian.min.js; scripts/setup puts it where it is looked for. Without it reports are
# off and everything else works.
find_file(HEADROOM_PLOTLY plotly-cartesian.min.js
          PATHS "$ENV{HEADROOM_DEPS}/plotly" /opt/headroom/plotly NO_DEFAULT_PATH
          DOC "Plotly's bundle for cartesian plots, for the pages of reports")
if(NOT HEADROOM_PLOTLY)
  message(STATUS "Plotly is not here: reports are off (scripts/setup fetches it where npm is)")
  return()
endif()

# In this order: later modules use earlier ones.
set(page_modules strict_styles dom numbers table csv math theme plot series numbers_table figure picker quantities
                 reproduce_distance reproduce_critical reproduce_separable reproduce_sensitivity head_map heads_view reproduce
                 claim_formulas tightness worst_case claim_detail claims_table verify explorer frontier diagnose compare sweep provenance main)
list(TRANSFORM page_modules PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
list(TRANSFORM page_modules APPEND ".js")
set(page_script "${CMAKE_CURRENT_BINARY_DIR}/report/page.js")
add_custom_command(OUTPUT "${page_script}"
  COMMAND ${CMAKE_COMMAND} "-DMODULES=${page_modules}" "-DOUTPUT=${page_script}" -P "${CMAKE_CURRENT_LIST_DIR}/join.cmake"
  DEPENDS ${page_modules} "${CMAKE_CURRENT_LIST_DIR}/join.cmake" VERBATIM)

enable_language(ASM)
set(page_style "${CMAKE_CURRENT_LIST_DIR}/page.css")
set(page_assets "${CMAKE_CURRENT_LIST_DIR}/../assets.S")
set_source_files_properties("${page_assets}" PROPERTIES
  OBJECT_DEPENDS "${page_script};${page_style};${HEADROOM_PLOTLY}"
  COMPILE_DEFINITIONS "HEADROOM_PLOTLY=\"${HEADROOM_PLOTLY}\";HEADROOM_PAGE_SCRIPT=\"${page_script}\";HEADROOM_PAGE_STYLE=\"${page_style}\"")
target_sources(headroom_app_lib PRIVATE "${page_assets}")
target_compile_definitions(headroom_app_lib PRIVATE HEADROOM_WITH_REPORTS)
