# Read by CPack when all files of a package are laid down: in a Debian package, zsh completions are where
# zsh of Debian looks for them.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(zsh ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share/zsh)
  file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
endif()
