#!/bin/bash
# Makes the files of a release from the last commit, in build/dist: the sources with the files that the build generates, the
# Debian packages, a Python wheel, a bill of materials (SPDX 2.3) and SHA256SUMS. docs/develop/release.md describes them.
#   scripts/release.sh           makes them
#   scripts/release.sh --check   makes them twice, in two directories, compares every byte, and runs the README's first
#                                example from the wheel, in a virtual environment
#   scripts/release.sh --image   and builds an image of the packages (scripts/packages.sh --image)
# Needs no network but Debian's archive, and that only where a package of scripts/deps.sh is missing.
set -eu
cd "$(dirname "$0")/.."
root=$PWD

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

case ${1:-} in
'' | --check | --image) ;;
*) fail "unknown option $1; known: --check, --image" ;;
esac
scripts/deps.sh --release
git diff --quiet HEAD -- || fail "the tree has changes that are not committed; a release is made from the last commit"
version=$(sed -n 's/^project(plumb VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p build

# The Debian packages, with versions, that the program and the library in PACKAGE need when they run.
runtime() { # PACKAGE
    dpkg-deb -f "$1" Depends | tr ',' '\n' | sed -E 's/^ *([^ (|]+).*/\1/'
}

# A wheel is the tree of the packages plumb and python3-plumb, below the prefix of the environment that it goes into.
wheel() { # PACKAGES OUT
    local tree info data package tag
    tag=py3-none-linux_$(uname -m)
    tree=$(mktemp -d -p "$work")
    info=$tree/wheel/plumb-$version.dist-info data=$tree/wheel/plumb-$version.data
    for package in "$1"/plumb_*.deb "$1"/python3-plumb_*.deb; do
        dpkg-deb -x "$package" "$tree"
    done
    mkdir -p "$info" "$data/data"
    mv "$tree/usr/lib/python3/dist-packages/plumb.py" "$tree/wheel"
    mv "$tree/usr/bin" "$data/scripts"
    mv "$tree/usr/share" "$data/data/share"
    rm -r "$tree/usr/lib/python3"
    cp -rL "$tree/usr/lib" "$data/data" # a wheel holds no links
    rm "$data"/data/lib/*/libplumb.so.*.*
    cp LICENSE "$info"
    {
        printf '%s\n' 'Metadata-Version: 2.1' 'Name: plumb' "Version: $version" \
            'Summary: simulator and estimator of GPU memory systems' 'License: GPL-3.0-or-later' 'Requires-Python: >=3.9'
        runtime "$1"/plumb_*.deb | sed 's/^/Requires-External: /'
        printf '\n%s\n' 'The program plumb, its machines and programs, libplumb and the Python module plumb, as built on Debian 12.'
    } > "$info/METADATA"
    printf '%s\n' 'Wheel-Version: 1.0' 'Generator: scripts/release.sh' 'Root-Is-Purelib: false' "Tag: $tag" > "$info/WHEEL"
    /usr/bin/python3 -m wheel pack "$tree/wheel" -d "$2" > "$work/log" 2>&1 || fail "wheel: $(cat "$work/log")"
}

# NAME, VERSION and RELATIONSHIP to plumb of each Debian package that a build or a run uses.
debian_rows() { # PACKAGE
    local relation
    for relation in RUNTIME_DEPENDENCY_OF BUILD_DEPENDENCY_OF; do
        if [ $relation = RUNTIME_DEPENDENCY_OF ]; then runtime "$1"; else scripts/deps.sh --list; fi |
            sort | xargs dpkg-query -W -f "\${Package} \${Version} \${Architecture} $relation\n"
    done
}

bill_of_materials() { # PACKAGES OUT
    local echarts
    echarts=$(sed -n '1s/.* //p' third_party/echarts/README.md)
    debian_rows "$1"/plumb_*.deb | jq -Rn --arg version "$version" --arg commit "$commit" --arg echarts "$echarts" \
        --arg sum "$(cut -d' ' -f1 third_party/echarts/SHA256)" \
        --arg time "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" '
        def package($id; $name; $version; $licence): {SPDXID: ("SPDXRef-" + ($id | gsub("[^A-Za-z0-9.-]"; "."))), name: $name,
            versionInfo: $version, downloadLocation: "NOASSERTION", filesAnalyzed: false, licenseConcluded: "NOASSERTION",
            licenseDeclared: $licence, copyrightText: "NOASSERTION"};
        def purl($text): .externalRefs =
            [{referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: $text}];
        [inputs | split(" ") | {name: .[0], version: .[1], architecture: .[2], relation: .[3]}] as $rows |
        {spdxVersion: "SPDX-2.3", dataLicense: "CC0-1.0", SPDXID: "SPDXRef-DOCUMENT", name: "plumb-\($version)",
         documentNamespace: "https://spdx.org/spdxdocs/plumb-\($version)-\($commit)",
         creationInfo: {created: $time, creators: ["Tool: scripts/release.sh-\($version)"]},
         packages: ([package("plumb"; "plumb"; $version; "GPL-3.0-or-later") + {primaryPackagePurpose: "APPLICATION"},
             (package("echarts"; "echarts"; $echarts; "Apache-2.0 AND BSD-3-Clause") | purl("pkg:npm/echarts@\($echarts)") |
                 .checksums = [{algorithm: "SHA256", checksumValue: $sum}])]
             + [$rows | unique_by(.name)[] | . as $r | package("Debian-" + .name; .name; .version; "NOASSERTION") |
                 purl("pkg:deb/debian/\($r.name | @uri)@\($r.version | @uri)?arch=\($r.architecture)&distro=bookworm")]),
         relationships: ([["SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-plumb"], ["SPDXRef-plumb", "CONTAINS", "SPDXRef-echarts"]]
             + [$rows[] | ["SPDXRef-" + ("Debian-" + .name | gsub("[^A-Za-z0-9.-]"; ".")), .relation, "SPDXRef-plumb"]]
             | map({spdxElementId: .[0], relationshipType: .[1], relatedSpdxElement: .[2]}))}' > "$2"
}

release() { # CLONE OUT: everything, built in a new clone
    git clone -q "$root" "$1"
    (cd "$1" && git checkout -q "$commit" && scripts/packages.sh > "$work/log" 2>&1) || fail "packages: $(tail -n 40 "$work/log")"
    mkdir -p "$2"
    cp "$1"/build/packages/* "$2"
    wheel "$1/build/packages" "$2"
    bill_of_materials "$1/build/packages" "$2/plumb-$version.spdx.json"
    (cd "$2" && sha256sum -- * > SHA256SUMS)
}

try_wheel() { # OUT: in a virtual environment, from another directory, with no other library to be found
    /usr/bin/python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install -q --no-index --no-deps --disable-pip-version-check "$1"/*.whl
    (cd "$work" && env -u PLUMB_LIBRARY -u PYTHONPATH PLUMB_BANK=off XDG_CACHE_HOME="$work/cache" bash -eu -c '
        venv/bin/plumb --version
        venv/bin/plumb estimate rx540 fwt -q | sed -n 1,4p
        venv/bin/python -c "import plumb; print(plumb.Machine(\"rx540\").estimate(\"fwt\")[\"cycles\"], plumb._c._name)"')
}

rm -rf build/dist
release "$work/plumb" "$work/dist"
if [ "${1:-}" = --check ]; then
    release "$work/another place/$version" "$work/again"
    diff -r "$work/dist" "$work/again" || fail "two builds of one commit differ"
    echo "release.sh: two builds in two directories have the same bytes"
    try_wheel "$work/dist"
fi
mv "$work/dist" build/dist
if [ "${1:-}" = --image ]; then
    scripts/packages.sh --image
fi
(cd build/dist && sha256sum -c --quiet SHA256SUMS && ls -1)
