# What `make install` lays down, and where:
#
#     bin/fathom                          installed by src/
#     LIBDIR/fathom/libfathom*.so         preloaded into programs; not for linking, hence in a folder of their own
#     LIBDIR/libfathom-trace.so           the reader, for programs that read traces
#     LIBDIR/libfathom-sim.so             the simulator, for programs that simulate others
#     LIBDIR/libfathom-fs.so              the client of the file system, for programs that use its primitives
#     include/fathom/*.h, pkg-config file, CMake package
#     include/fathom/plugin               what plug-ins are compiled with (`fathom wrap`)
#     share/fathom/catalog/*.calls        the catalogue
#     share/fathom/clusters/*.yaml        clusters for `fathom simulate`
#     share/fathom/python                 the package fathom, for PYTHONPATH
#     lib/fathom/python                   the reader of traces that it loads
#     share/fathom/modulefiles            for Environment Modules and Lmod: `module use` this folder
#     share/man, completions for bash and zsh
#     share/doc/fathom                    README.md, what it links to, and the examples
include(CMakePackageConfigHelpers)
include(Manual)

get_property(bound_targets GLOBAL PROPERTY FATHOM_BOUND)
foreach(target fathom_capture fathom_prefix fathom_pthread fathom_functions fathom_mpi ${bound_targets})
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fathom)
  endif()
endforeach()

# A wheel is not for linking.
if(TARGET fathom_reader AND NOT FATHOM_WHEEL)
  install(TARGETS fathom_reader fathom_simulator fathom_fs_client LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/fathom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.f90")

  # These files find the rest relative to themselves, so that an installed tree can be moved.
  file(RELATIVE_PATH prefix_from_libdir /${CMAKE_INSTALL_LIBDIR} /)
  foreach(name fathom fathom-sim fathom-fs)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Fathom)
  configure_package_config_file(
    ${CMAKE_SOURCE_DIR}/cmake/FathomConfig.cmake.in ${CMAKE_BINARY_DIR}/FathomConfig.cmake
    INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/FathomConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/FathomConfig.cmake ${CMAKE_BINARY_DIR}/FathomConfigVersion.cmake
          DESTINATION ${package})
endif()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/python DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom
        FILES_MATCHING PATTERN "*.py")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/clusters DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom
        FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/catalog DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom
        FILES_MATCHING PATTERN "*.calls")
configure_file(${CMAKE_SOURCE_DIR}/packaging/modulefiles/fathom.in ${CMAKE_BINARY_DIR}/modulefile @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/modulefile RENAME ${PROJECT_VERSION}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fathom/modulefiles/fathom)
install(FILES ${CMAKE_SOURCE_DIR}/completions/fathom.bash RENAME fathom
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_SOURCE_DIR}/completions/_fathom
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
# What README.md links to, as it links to it.
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md ${CMAKE_SOURCE_DIR}/LICENSE
        ${CMAKE_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

# A wheel brings the libraries that the program and the reader for Python need, but for the C
# library, in LIBDIR/fathom. RPATH, not RUNPATH: it is also for what these libraries need themselves.
if(FATHOM_WHEEL)
  set_target_properties(fathom PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/fathom")
  set_target_properties(fathom_python_reader PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  foreach(target fathom fathom_python_reader)
    target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  endforeach()
  install(RUNTIME_DEPENDENCY_SET fathom_needs DESTINATION ${CMAKE_INSTALL_LIBDIR}/fathom
          PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread)\\.so" "^ld-linux")
endif()
