# SPDX-License-Identifier: BSD-3-Clause
# cmake -DKERNELS=<folder> -DOUT=<file.c> -P embed.cmake: writes every KERNELS/<family>/<file>.cl as a byte array into
# one table. A family may be a nested folder.
file(GLOB files RELATIVE ${KERNELS} ${KERNELS}/*/*.cl ${KERNELS}/*/*/*.cl)
list(SORT files)
set(arrays "#include \"sources.h\"\n")
set(table "")
foreach(file IN LISTS files)
  get_filename_component(family ${file} DIRECTORY)
  get_filename_component(stem ${file} NAME_WE)
  string(REPLACE / _ array ${family}_${stem})
  file(READ ${KERNELS}/${file} text)
  # program.c finds kernels by this text, and prune.c the ends of functions by a brace at the start of a line.
  if(text MATCHES "kernel[ \t]*\n[ \t]*void|kernel[ \t]+void[ \t]*\n|kernel void [^{]*[^\n]{")
    message(FATAL_ERROR "${file}: write 'kernel void NAME(' on one line and the braces of its body at the start of lines")
  endif()
  file(READ ${KERNELS}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char ${array}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${family}\", \"${file}\", ${array}},\n")
endforeach()
file(WRITE ${OUT} "${arrays}const drua_source drua_sources[] = {\n${table}    {0, 0, 0}};\n")
