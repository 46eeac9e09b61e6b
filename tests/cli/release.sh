#!/bin/bash
# Does what a release states agree: one version in the build, the program and CITATION.cff, the library's name in the Python
# module, and a package list that scripts/deps.sh prints without installing?
set -u
: "${PLUMB:?the program to test}"
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(sed -n 's/^project(plumb VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "CMakeLists.txt has the version '$version'"
says -F 0 "plumb $version" --version
[ "$(sed -n 's/^version: //p' CITATION.cff)" = "$version" ] || fail "CITATION.cff has another version than CMakeLists.txt"
for key in cff-version message title authors; do # what the format requires
    grep -q "^$key:" CITATION.cff || fail "CITATION.cff has no $key"
done
grep -q "^_SONAME = \"libplumb.so.${version%%.*}\"$" libplumb/python/plumb.py || fail "the module loads another library"

status 'deps.sh --list' 0 scripts/deps.sh --list
mapfile -t packages < "$work/out"
[[ " ${packages[*]} " == *' libgsl-dev '* && " ${packages[*]} " != *' oclgrind '* ]] || fail "deps.sh --list: ${packages[*]}"
exit $((failed > 0))
