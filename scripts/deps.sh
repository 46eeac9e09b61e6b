#!/bin/bash
# Installs what building and testing plumb needs on Debian 12; does nothing when all of it is there.
#   scripts/deps.sh [--capture] [--thirdparty] [--check] [--browser] [--python] [--release] [--list]
# --capture adds what `plumb trace capture` needs (Oclgrind, an OpenCL loader, LLVM); --thirdparty adds
# PoCL and the programs and libraries that tests capture unchanged (docs/guide/capture.md); --check adds the tools of
# scripts/check-all.sh (clang, clang-format, libFuzzer, aspell); --browser adds chromium, for the tests of the report's page, and what scripts/pictures.sh needs;
# --python adds what the tests of the Python module read frames with; --release adds what scripts/release.sh needs.
# --list prints the names of these packages and installs nothing.
set -eu
source "$(dirname "$0")/steps.bash"

packages=(build-essential cmake ninja-build pkg-config libgsl-dev libconfig-dev libzstd-dev liblz4-dev liblzma-dev
    zlib1g-dev libxxhash-dev libsqlite3-dev gnuplot-nox libcmocka-dev sqlite3 xz-utils gzip zstd jq)
list=
for option in "$@"; do
    case $option in
    --capture) packages+=(oclgrind ocl-icd-opencl-dev opencl-c-headers llvm-14-dev clang-14) ;;
    --thirdparty) packages+=(pocl-opencl-icd clblast-tests clblast-utils clfft-client libclfft-dev
        libclfft-doc libviennacl-dev libviennacl-doc libboost-dev libboost-doc) ;;
    --check) packages+=(clang clang-format clang-tidy libomp-dev libclang-rt-14-dev aspell aspell-en) ;;
    --browser) packages+=(chromium aha optipng) ;;
    --python) packages+=(python3 python3-pandas python3-scipy) ;;
    --release) packages+=(git python3 python3-venv python3-wheel) ;;
    --list) list=yes ;;
    *)
        echo "deps.sh: unknown option $option; known: --capture, --thirdparty, --check, --browser, --python, --release, --list" >&2
        exit 2
        ;;
    esac
done

if [ -n "$list" ]; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi
if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    echo "deps.sh: this is not a Debian system; install by hand: ${packages[*]}" >&2
    exit 1
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
    root=(sudo)
    sudo true # asks for the password here, not beneath the line that is redrawn
fi
count="${#missing[@]} package$([ ${#missing[@]} -eq 1 ] || echo s)"
if ! { watched "looking for $count" "${root[@]}" apt-get -o APT::Status-Fd=1 update &&
    watched "installing $count" "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o APT::Status-Fd=1 install \
        -y --no-install-recommends "${missing[@]}"; }; then
    echo "deps.sh: could not install: ${missing[*]}" >&2
    exit 1
fi
