#!/bin/bash
# Do the program and the library of a release have what keeps an error in memory from becoming more than a crash?
#   tests/cli/hardening.sh                   PLUMB and PLUMB_LIBRARY, if they were built as Release
#   tests/cli/hardening.sh FILE...           these, as of a package
# Read from the ELF file: addresses that differ from run to run (DYN, and PIE of a program), tables of functions that are
# read-only once the program has started (GNU_RELRO with BIND_NOW), no stack that can be executed, canaries, copies of
# checked length.
set -u
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

# has FILE WHAT PATTERN READELF...: what readelf prints has a line of that pattern
has() {
    readelf -W "${@:4}" "$1" 2> /dev/null | grep -Eq -- "$3" || fail "$1: no $2"
}

check() { # FILE
    has "$1" 'address that can be moved' '^ *Type: *DYN ' -h
    # Libraries are DYN, too; a program says that it is one.
    readelf -Wd "$1" 2> /dev/null | grep -q '(SONAME)' || has "$1" 'mark of a program that can be moved' 'FLAGS_1.* PIE' -d
    has "$1" 'read-only relocations' '^ *GNU_RELRO ' -l
    has "$1" 'binding at start' 'BIND_NOW|FLAGS_1.*NOW' -d
    has "$1" 'stack without execution' '^ *GNU_STACK .* RW +0x' -l
    has "$1" 'canary' ' __stack_chk_fail@' --dyn-syms
    # One such name can be a library's, or an accident: a program of this size copies and prints in several ways.
    local checked
    checked=$(readelf -W --dyn-syms "$1" 2> /dev/null | grep -Eo ' __[a-z]+_chk@' | grep -v ' __stack_chk' | sort -u | wc -l)
    [ "$checked" -gt 1 ] || fail "$1: $checked kinds of checked copies; more than one is needed"
    readelf -Wd "$1" | grep -q TEXTREL && fail "$1: relocations in its code"
    readelf -Wl "$1" | grep -Eq '^ *LOAD .* RWE ' && fail "$1: memory that is written and executed"
}

command -v readelf > /dev/null || { echo "readelf is missing"; exit 77; }
if [ $# -eq 0 ]; then
    plumb=$(realpath "${PLUMB:-build/release/plumb}")
    type=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$(dirname "$plumb")/CMakeCache.txt" 2> /dev/null)
    sanitized=$(sed -n 's/^PLUMB_SANITIZE:BOOL=//p' "$(dirname "$plumb")/CMakeCache.txt" 2> /dev/null)
    [ "$type" = Release ] && [ "$sanitized" != ON ] || { echo "no release: $plumb is of type ${type:-unknown}"; exit 77; }
    set -- "$plumb"
    library=${PLUMB_LIBRARY:-$(dirname "$plumb")/libplumb.so}
    [ ! -e "$library" ] || set -- "$plumb" "$(realpath "$library")"
fi
for file in "$@"; do
    if [ -s "$file" ]; then check "$file"; else fail "$file: not there"; fi
done
[ $failed -eq 0 ] && echo "$# files: RELRO, BIND_NOW, PIE, canaries and checked copies"
exit $((failed > 0))
