# SPDX-License-Identifier: BSD-3-Clause
# cmake -DOPS=<folder> -DOUT=<file.c> -P op_table.cmake: writes the table of all descriptors below OPS, in order of file
# name. DRUA_OP marks a descriptor:
#   DRUA_OP(name) = {.name = "name", ...};
#   DRUA_OP(name) = MACRO(name, ...);
cmake_minimum_required(VERSION 3.20)
file(GLOB files ${OPS}/*/*.c)
list(SORT files)
set(declarations "#include \"registry.h\"\n")
set(table "")
set(all "")
set(form "'DRUA_OP(NAME) = {.name = \"NAME\"' or 'DRUA_OP(NAME) = MACRO(NAME,'")
foreach(file IN LISTS files)
  file(READ ${file} text)
  if(text MATCHES "drua_op[ \n]+drua_op_([A-Za-z0-9_]+)[ \n]*=")
    message(FATAL_ERROR "${file}: begin the descriptor of ${CMAKE_MATCH_1} with 'DRUA_OP(${CMAKE_MATCH_1}) ='")
  endif()
  string(REGEX MATCHALL "DRUA_OP[ \n]*[(][A-Za-z0-9_]*[)]? ?=?" begun "${text}")
  string(REGEX MATCHALL
    "\nDRUA_OP[(][A-Za-z0-9_]+[)] =[ \n]*({[ \n]*[.]name = \"[^\";]*\"|[A-Z0-9_]+[(][ \n]*[A-Za-z0-9_]*)"
    descriptors "\n${text}")
  list(LENGTH begun begun_count)
  list(LENGTH descriptors count)
  if(NOT begun_count EQUAL count)
    string(REPLACE ";" "\n  " begun "${begun}")
    message(FATAL_ERROR "${file}: a descriptor begins with ${form} at the start of a line; one of these does not:\n"
      "  ${begun}")
  endif()
  foreach(descriptor IN LISTS descriptors)
    string(REGEX MATCH "DRUA_OP[(]([A-Za-z0-9_]+)[)]" begin "${descriptor}")
    set(name ${CMAKE_MATCH_1})
    string(REGEX MATCH "[A-Za-z0-9_]*\"?$" given "${descriptor}")
    string(REPLACE "\"" "" given "${given}")
    if(NOT given STREQUAL name)
      message(FATAL_ERROR
        "${file}: DRUA_OP(${name}) is followed by another name, '${given}'; write the same name twice")
    endif()
    if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
      message(FATAL_ERROR "${file}: write the name ${name} in lower case, as in local_range")
    endif()
    if(name IN_LIST all)
      message(FATAL_ERROR "${file}: another descriptor already has the name ${name}")
    endif()
    list(APPEND all ${name})
    string(APPEND declarations "extern const drua_op drua_op_${name};\n")
    string(APPEND table "    &drua_op_${name},\n")
  endforeach()
endforeach()
file(WRITE ${OUT} "${declarations}const drua_op *const drua_op_table[] = {\n${table}    0};\n")
