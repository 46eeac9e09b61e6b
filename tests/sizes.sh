#!/bin/bash
# The house rules of sizes, read off C files as clang-format leaves them:
#   files      a file has at most 450 lines, one of tests/ or bench/ at most 620;
#   functions  a function has at most 60 lines, from its type to its closing brace.
# A function's body begins with a brace alone in the first column and ends with one (a class of C++ with "};").  `--self-test` shows on a
# temporary tree that each rule catches a violation; ctest runs both.
set -u
declare -A most=([product]=450 [tests]=620 [function]=60)

sources() { # the C files of the tree; those of others in third_party/ are left out
    find . -path ./.git -prune -o -path './build*' -prune -o -path ./third_party -prune -o -name '*.[ch]' -type f -print |
        sed 's/^\.\///' | sort
}

# Each rule prints its violations as FILE:LINE: TEXT.
rule_files() {
    sources | xargs -r awk -v product="${most[product]}" -v tests="${most[tests]}" '
        function judge() { if (lines > most) print name ":" lines ": " lines " lines, " most " allowed" }
        FNR == 1 { judge(); name = FILENAME; most = name ~ /^(tests|bench)\// ? tests : product }
        { lines = FNR }
        END { judge() }'
}

# start: the first line at the left margin behind the last blank line, directive, declaration or closing brace.
rule_functions() {
    sources | xargs -r awk -v most="${most[function]}" '
        FNR == 1 { start = body = 0 }
        body && /^}/ { lines = FNR - start + 1
                       if (/^}$/ && lines > most) print FILENAME ":" start ": " lines " lines, " most " allowed: " head
                       start = body = 0
                       next }
        body { next }
        start && /^\{$/ { body = 1; next }
        /^$/ || /^[#}]/ || /;$/ || /\*\/$/ { start = 0; next }
        !start && /^[A-Za-z_]/ { start = FNR; head = $0 }'
}

declare -A meaning=(
    [files]="a C file is short enough to hold one idea"
    [functions]="a function is seen at one look"
)

check() { # runs every rule in the current folder
    local rule found failed=0
    for rule in files functions; do
        found=$(rule_$rule)
        [ -z "$found" ] && continue
        failed=1
        echo "sizes: ${meaning[$rule]}:"
        sed 's/^/    /' <<< "$found"
    done
    return $failed
}

lines() { # N: so many statements
    local i
    for ((i = 0; i < $1; i++)); do echo '    step();'; done
}

plant() { # RULE FILE LINE TEXT: fails unless the text in that file breaks that rule there, and only it
    local tree found
    tree=$(mktemp -d)
    mkdir -p "$tree/$(dirname "$2")"
    printf '%s\n' "$4" > "$tree/$2"
    found=$(cd "$tree" && check)
    rm -r "$tree"
    if [ "$1" = none ]; then
        [ -z "$found" ] && return 0
    else
        [[ $found == "sizes: ${meaning[$1]}:"*"    $2:$3: "* ]] && [ "$(grep -c '^sizes' <<< "$found")" = 1 ] && return 0
    fi
    echo "self-test: $(wc -l <<< "$4") lines in $2 should break: $1; found: $found"
    return 1
}

self_test() {
    local failed=0 function declarations='int declared(void);'
    function=$(printf 'static bool long_one(const struct known *k,\n                     int n)\n{\n%s\n}' "$(lines 57)")
    plant functions gpu/cache/a.c 3 "$(printf '#include "a.h"\n\n%s\n\nint next(void)\n{\n    return 1;\n}' "$function")" || failed=1
    plant functions tests/unit/a.c 2 "$(printf '/* What is tested. */\n%s' "$function")" || failed=1
    plant functions cli/a.h 3 "$(printf '%s\n\nstatic inline int f(int n)\n{\n%s\n}' "$declarations" "$(lines 58)")" || failed=1
    plant none gpu/cache/a.c 0 "$(printf 'static int f(int n)\n{\n%s\n}\n\nint g(void)\n{\n%s\n}' "$(lines 57)" "$(lines 57)")" || failed=1
    plant none gpu/cache/a.c 0 "$(printf 'static const int table[] = {\n%s\n};' "$(lines 100)")" || failed=1
    plant files detailed/l1/a.c 451 "$(lines 451)" || failed=1
    plant files sweeps/a.h 451 "$(lines 451)" || failed=1
    plant files bench/a.c 621 "$(lines 621)" || failed=1
    plant none detailed/l1/a.c 0 "$(lines 450)" || failed=1
    plant none tests/unit/a.c 0 "$(lines 620)" || failed=1
    plant none third_party/other/a.c 0 "$(lines 1000)" || failed=1
    return $failed
}

if [ "${1:-}" = --self-test ]; then
    self_test
else
    self_test && check
fi
