# SPDX-License-Identifier: BSD-3-Clause
"""Writes a wheel of the package drua: build_wheel.py LIBRARY REGISTRY.json VERSION PLATFORM FOLDER.

LIBRARY is the engine for the wheel's platform, REGISTRY.json the output of `drua describe`, and PLATFORM a tag such as
linux_x86_64. The same input gives the same bytes. The wheel needs no compiler and no build tool of Python.
"""
import base64
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
METADATA = """Metadata-Version: 2.1
Name: drua
Version: {version}
Summary: Image processing on OpenCL devices with images that stay on the device
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

"""
WHEEL = """Wheel-Version: 1.0
Generator: drua
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def files(library, registry, version, platform):
    """The wheel's files: the path inside and the content."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "_operations.py")
        subprocess.run([sys.executable, HERE / "make_operations.py", registry, made], check=True)
        yield "drua/_operations.py", made.read_bytes()
    for file in sorted((HERE / "drua").iterdir()):
        if file.suffix == ".py" or file.name == "py.typed":
            yield f"drua/{file.name}", file.read_bytes()
    library = pathlib.Path(library)
    yield f"drua/{library.name}", library.read_bytes()
    info = f"drua-{version}.dist-info"
    for name in ("LICENSE", "NOTICE"):
        yield f"{info}/{name}", (ROOT / name).read_bytes()
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    yield f"{info}/METADATA", (METADATA.format(version=version) + readme).encode()
    yield f"{info}/WHEEL", WHEEL.format(platform=platform).encode()


def main(library, registry, version, platform, folder):
    path = pathlib.Path(folder, f"drua-{version}-py3-none-{platform}.whl")
    path.parent.mkdir(parents=True, exist_ok=True)
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, content):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, content)

        for name, content in files(library, registry, version, platform):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
            add(name, content)
        name = f"drua-{version}.dist-info/RECORD"
        add(name, record + f"{name},,\n")
    print(path)


main(*sys.argv[1:])
