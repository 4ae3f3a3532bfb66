# SPDX-License-Identifier: BSD-3-Clause
# cmake -DNM=nm -DLIBRARY=libdrua.so -DHEADER=drua.h -P symbols.cmake: checks that the library exports the functions of
# its header and JNI's, and that it requires no newer C library than necessary.
cmake_minimum_required(VERSION 3.20)
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE lines RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()
string(REGEX MATCHALL " [TDBRVWi] [^\n]+" symbols "${lines}")
file(READ ${HEADER} header)
set(exported "")
foreach(symbol ${symbols})
  string(SUBSTRING ${symbol} 3 -1 name)
  if(name MATCHES "^(JNI_OnLoad|JNI_OnUnload|Java_drua_.*)$")
  elseif(NOT header MATCHES "[ *]${name}\\(")
    message(SEND_ERROR "${LIBRARY} exports ${name}, which is not in ${HEADER}")
  endif()
  list(APPEND exported ${name})
endforeach()
string(REGEX MATCHALL "DRUA_API [^;(]*[ *]drua_[a-z_]+\\(" functions "${header}")
foreach(function ${functions})
  string(REGEX REPLACE ".*[ *](drua_[a-z_]+)\\($" "\\1" name "${function}")
  if(NOT name IN_LIST exported)
    message(SEND_ERROR "${HEADER} declares ${name}, which ${LIBRARY} does not export")
  endif()
endforeach()
list(LENGTH functions count)
if(count LESS 30)
  message(SEND_ERROR "${HEADER} contains only ${count} functions")
endif()

# glibc of 2012 has every function used; newer versions of these came with changes of errno (2.29), headers (2.33) or
# the library that contains them (2.34).
set(moved "^(exp|log|log2|pow|[fl]?stat(64)?|dl[a-z]+|pthread_[a-z_]+)$")
execute_process(COMMAND ${NM} -D --undefined-only ${LIBRARY} OUTPUT_VARIABLE lines)
string(REGEX MATCHALL " [A-Za-z_0-9]+@+GLIBC_[0-9.]+" wanted "${lines}")
foreach(symbol ${wanted})
  string(REGEX MATCH "([A-Za-z_0-9]+)@+GLIBC_([0-9.]+)" symbol ${symbol})
  set(name ${CMAKE_MATCH_1})
  set(version ${CMAKE_MATCH_2})
  if(version VERSION_GREATER 2.17 AND NOT name MATCHES "${moved}")
    message(SEND_ERROR "${LIBRARY} needs ${name} of glibc ${version}; "
      "avoid it, so that older systems can load the library")
  endif()
endforeach()

# docs/security.md: the library opens no network connection and starts no program.
string(REGEX MATCH " (socket|connect|getaddrinfo|gethostbyname|exec[a-z]+|posix_spawnp?|popen|system|v?fork)@" wrong
  "${lines}")
if(wrong)
  message(SEND_ERROR "${LIBRARY} uses${wrong}, which opens a connection or starts a program")
endif()
message("${count} functions")
