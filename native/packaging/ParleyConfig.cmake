# SPDX-License-Identifier: MIT
# find_package(Parley): the target Parley::nx, the library of NX/2 programs in C, C++ and Fortran, and
# Parley::nxrun, which starts them. Everything is found from where this file lies.
get_filename_component(_parley_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)

if(NOT TARGET Parley::nx)
  add_library(Parley::nx SHARED IMPORTED)
  set_target_properties(Parley::nx PROPERTIES
    IMPORTED_LOCATION "${_parley_prefix}/lib/libnx.so.@VERSION@"
    IMPORTED_SONAME "libnx.so.@MAJOR@"
    INTERFACE_INCLUDE_DIRECTORIES "${_parley_prefix}/include/parley")
endif()

if(NOT TARGET Parley::nxrun)
  add_executable(Parley::nxrun IMPORTED)
  set_target_properties(Parley::nxrun PROPERTIES IMPORTED_LOCATION "${_parley_prefix}/bin/nxrun")
endif()

unset(_parley_prefix)
