# Manual pages: docs/NAME.1.md becomes man/NAME.1 in the build tree.
find_program(AWK NAMES awk mawk gawk REQUIRED)
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/fathom*.[1-9].md)
set(manual "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME)
  string(REGEX REPLACE "\\.md$" "" name ${name})
  set(output ${CMAKE_BINARY_DIR}/man/${name})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
    COMMAND ${AWK} -v version=${PROJECT_VERSION} -f ${CMAKE_SOURCE_DIR}/scripts/md2man ${page} > ${output}
    DEPENDS ${page} ${CMAKE_SOURCE_DIR}/scripts/md2man
    COMMENT "Writing the manual page ${name}"
    VERBATIM)
  list(APPEND manual ${output})
  string(REGEX REPLACE ".*\\." "" section ${name})
  install(FILES ${output} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
add_custom_target(manual ALL DEPENDS ${manual})
