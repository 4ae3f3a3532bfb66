#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the bill of materials of a release as SPDX 2.3 in JSON: sbom.py VERSION SECONDS LIBRARIES JARS.

LIBRARIES is the output of fiji-update-site/platforms/list.cmake, JARS is java/jars.sha256. The same arguments give the
same bytes. Only what the published files contain is listed: the libraries compiled into the engine of each platform,
and minimal-json in the plugin's jar.
"""
import json
import sys
import time
import urllib.parse
import uuid


def package(name, version, licence, locator):
    return {
        "SPDXID": "SPDXRef-" + name,
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]
    }


def libraries(path):
    found = []
    for line in open(path, encoding="utf-8"):
        name, version, licence, source, kind, digest = line.rstrip("\n").split("\t")
        if not licence:
            sys.exit(f"{name} has no licence: add SPDX to its entry in fiji-update-site/platforms/libraries.cmake")
        locator = f"pkg:deb/debian/{source}@{urllib.parse.quote(version, safe='')}"
        made = package(name, version, licence, locator + ("?arch=source" if kind == "source" else ""))
        made["comment"] = f"compiled into the engine; SHA-256 of Debian's {source}: {digest}"
        found.append(made)
    return found


def minimal_json(path):
    """The jar whose classes are copied into the plugin."""
    for line in open(path, encoding="utf-8"):
        digest, name = line.split()
        if name.startswith("minimal-json-"):
            version = name[len("minimal-json-"):-len(".jar")]
            locator = f"pkg:maven/com.eclipsesource.minimal-json/minimal-json@{version}"
            made = package("minimal-json", version, "MIT", locator)
            made["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
            return made
    sys.exit(f"{path} does not list minimal-json")


def main():
    version, seconds, list_of_libraries, list_of_jars = sys.argv[1:]
    drua = package("drua", version, "BSD-3-Clause", f"pkg:generic/drua@{version}")
    parts = libraries(list_of_libraries) + [minimal_json(list_of_jars)]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", drua["SPDXID"])]
    relationships += [(drua["SPDXID"], "CONTAINS", part["SPDXID"]) for part in parts]
    json.dump({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"drua-{version}",
        "documentNamespace": uuid.uuid5(uuid.NAMESPACE_URL, f"drua-{version}-{seconds}").urn,
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))),
            "creators": ["Organization: The Drua developers", "Tool: drua-sbom.py"]
        },
        "packages": [drua] + parts,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relationships]
    }, sys.stdout, indent=1)
    print()


main()
