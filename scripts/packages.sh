#!/bin/bash
# Builds the Debian packages plumb, libplumb-dev and python3-plumb into build/packages, and the release's tarball beside them:
# the committed sources, and in share/ the man page, the completions and the schema of answers, which the build made, and the
# commit, which plumb --version prints.
#   scripts/packages.sh          builds them
#   scripts/packages.sh --try    and reads from their ELF files how they are hardened, and installs them in a minimal
#                                Debian 12, where README's first example, the library's example and the Python module
#                                run (needs root and mmdebstrap; nothing is compiled there but the example)
#   scripts/packages.sh --image  and builds an image of cmake/packaging/Containerfile, which runs README's first example: with
#                                docker, podman or buildah; BASE names the image to build on (a Debian 12)
set -eu
cd "$(dirname "$0")/.."
out=build/packages
# What makes the bytes depend on the commit alone (scripts/release.sh --check): its date, one mode for files, and no debug
# information, in which link-time optimisation leaves the build's directory and random names.
umask 022
[ ! -e .git ] || export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

scripts/deps.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S . -B build/deb -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DPLUMB_TREE=/usr/src/plumb \
    -DPLUMB_DEBUG_INFO=OFF &&
    cmake --build build/deb --target plumb plumb_shared plumb_static &&
    (cd build/deb && rm -f ./*.deb && cpack -G DEB); } > "$log" 2>&1; then
    cat "$log"
    exit 1
fi
mkdir -p "$out"
rm -f "$out"/*.deb
mv build/deb/*.deb "$out"
if [ -e .git ]; then # sources without a history came in a tarball
    version=$(sed -n 's/^project(plumb VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    rm -f "$out"/*.tar.gz
    git archive -o "$out/plumb-$version.tar.gz" --prefix="plumb-$version/share/" \
        $(printf -- '--add-file=%s ' build/deb/share/*) --prefix="plumb-$version/" \
        --add-virtual-file="plumb-$version/share/commit:$(git describe --always --exclude='*' --abbrev=12)" HEAD
fi
ls -1 "$out"

image() {
    local builder base=() container
    for builder in docker podman buildah; do
        command -v "$builder" > /dev/null && "$builder" images > /dev/null 2>&1 && break
        builder=
    done
    if [ -z "$builder" ]; then
        echo "packages.sh: no docker, podman or buildah works here; --try runs the image's steps without one" >&2
        exit 2
    fi
    [ -z "${BASE:-}" ] || base=(--build-arg "BASE=$BASE")
    "$builder" build "${base[@]}" -f cmake/packaging/Containerfile -t plumb .
    if [ "$builder" = buildah ]; then
        container=$(buildah from localhost/plumb)
        buildah run "$container" -- plumb estimate rx540 fwt -q
        buildah rm "$container" > /dev/null
    else
        "$builder" run --rm plumb estimate rx540 fwt -q
    fi
}

case ${1:-} in
--image) image; exit 0 ;;
--try) ;;
*) exit 0 ;;
esac

files=$(mktemp -d)
trap 'rm -rf "$log" "$files"' EXIT
for package in "$out"/plumb_*.deb; do
    dpkg-deb -x "$package" "$files"
done
mapfile -t elves < <(find "$files" -type f \( -name plumb -path '*/bin/*' -o -name 'libplumb.so.*' \))
[ ${#elves[@]} -eq 2 ] || { echo "packages.sh: the package plumb has no program or no library" >&2; exit 1; }
bash tests/cli/hardening.sh "${elves[@]}"

WITH=$out scripts/chroot-test.sh \
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends ./$out/*.deb gcc libc6-dev pkg-config > /dev/null" \
    "cd / && plumb estimate rx540 fwt -q && plumb compare rx540 fwt --vs l2.bank_kb=512 -q" \
    "cd /tmp && gcc /usr/share/doc/plumb/examples/embed_dram.c \$(pkg-config --cflags --libs plumb) -o embed && ./embed hbm2 64" \
    "cd /tmp && gcc /usr/share/doc/plumb/examples/embed_dram.c \$(pkg-config --cflags plumb) -Wl,-Bstatic -lplumb -Wl,-Bdynamic \$(pkg-config --libs --static plumb | sed 's/-lplumb//') -o embed && ./embed hbm2 64" \
    "cd / && python3 -c 'import plumb; print(plumb.Machine(\"rx540\").estimate(\"fwt\")[\"cycles\"])'"
