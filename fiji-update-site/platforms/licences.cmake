# SPDX-License-Identifier: BSD-3-Clause
# cmake -DLIBRARIES=FOLDER -DINTO=FOLDER -P licences.cmake: copies the licences of all libraries to NAME.txt.
function(library name)
  cmake_parse_arguments(A "" "VERSION;SPDX;SOURCE;PACKAGE;SHA256;LICENCE" "FILES;HEADERS;DEFINES" ${ARGN})
  configure_file(${LIBRARIES}/${name}/${A_LICENCE} ${INTO}/${name}.txt COPYONLY)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/libraries.cmake)
