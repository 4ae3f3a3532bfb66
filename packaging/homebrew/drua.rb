# SPDX-License-Identifier: BSD-3-Clause
# ./dev release fills in the checksum of the source archive; see packaging/README.md.
class Drua < Formula
  desc "Image processing on OpenCL devices for ImageJ, Fiji and C programs"
  homepage "REPOSITORY"
  url "REPOSITORY/releases/download/v0.1.0/drua-0.1.0-source.tar.gz"
  sha256 "SHA256"
  license "BSD-3-Clause"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "opencl-headers" => :build
  depends_on "pkgconf" => [:build, :test]
  depends_on "c-blosc"
  depends_on "jansson"
  depends_on "libtiff"
  depends_on "zstd"
  uses_from_macos "curl"
  uses_from_macos "expat"
  uses_from_macos "zlib"

  on_linux do
    depends_on "ocl-icd"
  end

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args,
           "-DDRUA_JAVA=OFF", "-DDRUA_TESTS=OFF"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    pkgshare.install "tests/example/example.c"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/drua version")
    flags = shell_output("pkgconf --cflags --libs drua").split
    system ENV.cc, pkgshare/"example.c", *flags, "-o", "example"
  end
end
