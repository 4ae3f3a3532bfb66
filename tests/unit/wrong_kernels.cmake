# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSCRIPT=embed.cmake -DFOLDER=<empty folder> -P wrong_kernels.cmake: checks that the table of kernel files puts
# included files first and refuses wrong files with a sentence.
cmake_minimum_required(VERSION 3.20)

function(expect first second answer)
  file(REMOVE_RECURSE ${FOLDER})
  file(WRITE ${FOLDER}/filter/a.cl "${first}")
  file(WRITE ${FOLDER}/filter/b.cl "${second}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DKERNELS=${FOLDER} -DOUT=${FOLDER}/table.c -P ${SCRIPT}
    ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(NOT failed)
    file(READ ${FOLDER}/table.c said)
  endif()
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${answer}" at)
  if(at LESS 0)
    message(SEND_ERROR "expected '${answer}', got '${said}'")
  endif()
endfunction()

set(good "kernel void one(INPUT(from))\n{\n}\n")
expect("${good}" "x\n" "{\"filter\", \"filter/a.cl\", filter_a}, {\"filter\", \"filter/b.cl\", filter_b},")
expect("x\n#include \"b.cl\"\ny\n" "${good}"
  "{\"filter\", \"filter/b.cl\", filter_b}, {\"filter\", \"filter/a.cl\", filter_a},")
expect("x\n#include \"b.cl\"\ny\n" "${good}" "filter_a[] = {0x78,0x0a,0x79,0x0a,0}") # without the line of the include
expect("#include \"c.cl\"\n" "x\n" "kernels/filter has no file c.cl to include")
expect("#include \"b.cl\"\n" "#include \"a.cl\"\n" "include each other: filter/a.cl;filter/b.cl;filter/a.cl")
expect("#include \"../labels/a.cl\"\n" "x\n" "filter/a.cl: write '#include \"FILE.cl\"'")
expect("kernel  void\n one(INPUT(from))\n{\n}\n" "x\n" "filter/a.cl: write 'kernel void NAME('")
expect("${good}" "${good}" "filter/b.cl: another kernel already has the name one")
