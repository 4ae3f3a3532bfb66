# SPDX-License-Identifier: BSD-3-Clause
# The libraries that are compiled into the engine, in the order of their dependencies. To add one, add its entry here:
#
# library(name
#   VERSION  Debian's version
#   SPDX     name of its licence in SPDX's list, for the bill of materials
#   SOURCE   Debian's source package; PACKAGE for a binary package that contains only headers
#   SHA256   of its .dsc, which holds the checksums of the archives, or of the .deb
#   FILES    files to compile: paths and patterns in the source, !PATTERN excludes; @system@ is unix or win32
#   HEADERS  include folders for users of the library; ./ marks folders next to this file
#   DEFINES  macros that its compilation needs
#   LICENCE  the file with its licence, which is distributed too
# )

library(opencl
  VERSION 3.0~2023.02.06-1
  SPDX    Apache-2.0
  PACKAGE opencl-c-headers
  SHA256  81fedfd0a14a0694c4f6097faea417e1d9afc0c80cb41aa9e7b65e2c51f5fc4b
  HEADERS usr/include
  LICENCE usr/share/doc/opencl-c-headers/copyright)

library(vkfft
  VERSION 1.2.26+ds1-1
  SPDX    MIT
  PACKAGE libvkfft-dev
  SHA256  6a31888d371ff7afef52d13ac87cbccf040426a4c26a785c68f37d723f5605d5
  HEADERS usr/include
  LICENCE usr/share/doc/libvkfft-dev/copyright)

library(zlib
  VERSION 1:1.2.13.dfsg-1
  SPDX    Zlib
  SOURCE  zlib
  SHA256  3fa1e6b2fc525062aa88207dda52fed8e045373c809d362fe8a2bfbf7cf515a8
  FILES   adler32.c compress.c crc32.c deflate.c infback.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
  HEADERS .
  DEFINES HAVE_UNISTD_H fdopen=fdopen     # the library assumes that macOS has no fdopen
  LICENCE LICENSE)

library(zstd
  VERSION 1.5.4+dfsg2-5
  SPDX    BSD-3-Clause
  SOURCE  libzstd
  SHA256  8f602f92b575aa8b5e979196fb6ee82d78f233521dc9636526d3ecba1f63c1b1
  FILES   lib/common/*.c lib/compress/*.c lib/decompress/*.c
  HEADERS lib
  DEFINES ZSTD_DISABLE_ASM ZSTDLIB_VISIBLE= ZSTDERRORLIB_VISIBLE=
  LICENCE LICENSE)

library(lz4
  VERSION 1.9.4-1
  SPDX    BSD-2-Clause
  SOURCE  lz4
  SHA256  e16302bca544d08d106efc216541f4a0403c8f8a5fad5eaac7588223a55af263
  FILES   lib/lz4.c lib/lz4hc.c
  HEADERS lib
  DEFINES LZ4LIB_VISIBILITY=
  LICENCE lib/LICENSE)

library(blosc
  VERSION 1.21.3+ds-1
  SPDX    BSD-3-Clause
  SOURCE  c-blosc
  SHA256  f743b58208c0f79bdcafbe66e3dbb3ca74674232ed8c41d70467d83336960fdf
  FILES   blosc/*.c !blosc/shuffle-avx2.c !blosc/bitshuffle-avx2.c
  HEADERS blosc
  DEFINES HAVE_LZ4 HAVE_ZLIB HAVE_ZSTD SHUFFLE_SSE2_ENABLED     # on Windows, blosc defines pthread functions itself
          $<$<PLATFORM_ID:Windows>:pthread_create=blosc_pthread_create>
          $<$<PLATFORM_ID:Windows>:pthread_cond_init=blosc_pthread_cond_init>
          $<$<PLATFORM_ID:Windows>:pthread_cond_destroy=blosc_pthread_cond_destroy>
          $<$<PLATFORM_ID:Windows>:pthread_cond_wait=blosc_pthread_cond_wait>
          $<$<PLATFORM_ID:Windows>:pthread_cond_signal=blosc_pthread_cond_signal>
          $<$<PLATFORM_ID:Windows>:pthread_cond_broadcast=blosc_pthread_cond_broadcast>
  LICENCE LICENSES/BLOSC.txt)

library(jansson
  VERSION 2.14-2
  SPDX    MIT
  SOURCE  jansson
  SHA256  6296ddd9c0a022bd1b70074aefb171cfcdf5694a04ffd32b35fd66097621af87
  FILES   src/*.c
  HEADERS ./jansson src
  DEFINES HAVE_CONFIG_H
  LICENCE LICENSE)

library(expat
  VERSION 2.5.0-1+deb12u2
  SPDX    MIT
  SOURCE  expat
  SHA256  6fc87dbd01f49999ed368cfb37c08d35e41348dda2281d60642f3aa14cb77e32
  FILES   expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c
  HEADERS ./expat expat/lib
  DEFINES XML_STATIC
  LICENCE COPYING)

library(tiff
  VERSION 4.5.0-6+deb12u4
  SPDX    libtiff
  SOURCE  tiff
  SHA256  b32082304d725936078d687303fcf771c9ecf738b505f9a66a29e8ba282c8615
  FILES   libtiff/tif_*.c !libtiff/tif_unix.c !libtiff/tif_win32.c libtiff/tif_@system@.c
  HEADERS ./tiff libtiff
  LICENCE LICENSE.md)
