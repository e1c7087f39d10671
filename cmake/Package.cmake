# `make package`: a Debian package and, where rpmbuild is there, an RPM, of what `make install` lays
# down, for /usr. The Spack recipe and the module file are in packaging/.
set(CPACK_PACKAGE_NAME fathom)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Fathom authors")
set(CPACK_PACKAGE_CONTACT "The Fathom authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Record, explain, verify and simulate parallel I/O")
set(CPACK_PACKAGE_DESCRIPTION
    "Fathom records the calls that an unmodified program makes to NetCDF,
HDF5, MPI-IO, MPI, stdio and POSIX. It reports where the time went,
verifies which consistency the program's I/O needs, and simulates the run
on other machines.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
# Folders are made with these rights, whatever the umask of who builds.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Fathom authors <fathom@localhost>")
# What the programs need is read from them. Libraries that are preloaded stand on libc alone.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libmicrohttpd12 | libmicrohttpd12t64") # `fathom view` loads it
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, libclang1")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# zsh of Debian looks for completions of packages in a folder of its own.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/DebianFolders.cmake)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "BSD-3-Clause")
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_RPM_COMPRESSION_TYPE xz)
# CPack leaves CPACK_RPM_PACKAGE_RECOMMENDS out where it does not find out that rpmbuild knows them.
set(CPACK_RPM_SPEC_MORE_DEFINE "Recommends: libmicrohttpd")
set(CPACK_RPM_PACKAGE_GROUP "Development/Tools")
# Nothing of these folders is ours.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/lib64 /usr/lib/cmake /usr/lib/pkgconfig /usr/lib64/cmake /usr/lib64/pkgconfig
    /usr/share/man /usr/share/man/man1 /usr/share/man/man3 /usr/share/doc
    /usr/share/bash-completion /usr/share/bash-completion/completions
    /usr/share/zsh /usr/share/zsh/site-functions)

find_program(RPMBUILD rpmbuild)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
set(CPACK_GENERATOR "")
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
if(RPMBUILD)
  list(APPEND CPACK_GENERATOR RPM)
endif()
if(NOT CPACK_GENERATOR)
  set(CPACK_GENERATOR TGZ)
endif()
include(CPack)
