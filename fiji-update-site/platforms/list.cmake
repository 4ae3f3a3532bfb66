# SPDX-License-Identifier: BSD-3-Clause
# cmake -DINTO=FILE -P list.cmake: writes a line for each library: name, version, licence, Debian's package, kind of
# package, SHA-256, separated by tabs.
file(WRITE ${INTO} "")
function(library name)
  cmake_parse_arguments(A "" "VERSION;SPDX;SOURCE;PACKAGE;SHA256;LICENCE" "FILES;HEADERS;DEFINES" ${ARGN})
  if(A_SOURCE)
    set(kind "${A_SOURCE}\tsource")
  else()
    set(kind "${A_PACKAGE}\theaders")
  endif()
  file(APPEND ${INTO} "${name}\t${A_VERSION}\t${A_SPDX}\t${kind}\t${A_SHA256}\n")
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/libraries.cmake)
