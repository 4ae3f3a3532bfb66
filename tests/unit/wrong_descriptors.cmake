# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSCRIPT=op_table.cmake -DFOLDER=<empty folder> -P wrong_descriptors.cmake: checks that the table of operations
# lists a correct descriptor and refuses wrong ones with a sentence.
cmake_minimum_required(VERSION 3.20)

function(expect text answer)
  file(REMOVE_RECURSE ${FOLDER})
  file(WRITE ${FOLDER}/filter/one.c "${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DOPS=${FOLDER} -DOUT=${FOLDER}/table.c -P ${SCRIPT} ERROR_VARIABLE said
    RESULT_VARIABLE failed)
  if(NOT failed)
    file(READ ${FOLDER}/table.c said)
  endif()
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${answer}" at)
  if(at LESS 0)
    message(SEND_ERROR "expected '${answer}' for '${text}', got '${said}'")
  endif()
endfunction()

set(good "const drua_op drua_op_blur = {\n    .name = \"blur\"\n}\;\n")
expect("${good}" "&drua_op_blur,")
expect("${good}${good}" "another descriptor already has the name blur")
expect("const drua_op drua_op_blur = {.name = \"blurr\"}\;\n" "the descriptor drua_op_blur must have .name = \"blur\"")
expect("const drua_op drua_op_Blur = {.name = \"Blur\"}\;\n" "in lower case")
expect("const drua_op drua_op_blur = {.category = \"filter\"}\;\n" "must begin with '.name = \"NAME\"'")
expect("const drua_op\n    drua_op_blur = {.name = \"blur\"}\;\n" "on one line, without indentation: drua_op_blur")
