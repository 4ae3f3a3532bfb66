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

set(good "DRUA_OP(blur) = {\n    .name = \"blur\"\n}\;\n")
expect("${good}" "&drua_op_blur,")
expect("DRUA_OP(blur) =\n    FILTER(blur, 2)\;\n" "&drua_op_blur,")
expect("CHECK_SIZE(radius, 3)\n${good}" "{ &drua_op_blur, 0}")
expect("${good}${good}" "another descriptor already has the name blur")
expect("${good}DRUA_OP(blur) = FILTER(blur)\;\n" "another descriptor already has the name blur")
expect("DRUA_OP(blur) = {.name = \"blurr\"}\;\n" "DRUA_OP(blur) is followed by another name, 'blurr'")
expect("DRUA_OP(blur) = FILTER(blurr)\;\n" "DRUA_OP(blur) is followed by another name, 'blurr'")
expect("DRUA_OP(Blur) = {.name = \"Blur\"}\;\n" "in lower case")
expect("DRUA_OP(blur) = {.category = \"filter\"}\;\n" "DRUA_OP(NAME) = {.name = \"NAME\"' or")
expect("DRUA_OP() = {.name = \"\"}\;\n" "one of these does not: DRUA_OP() =")
expect("    DRUA_OP(blur) = {.name = \"blur\"}\;\n" "at the start of a line")
expect("const drua_op drua_op_blur = {.name = \"blur\"}\;\n" "begin the descriptor of blur with 'DRUA_OP(blur) ='")
