#!/bin/bash
# The rules of names that a compiler does not see, read off sources as clang-format leaves them:
#   tags     a struct, union or enum tag is defined once in the tree (a file's own ones included);
#   prefix   a function that other files see begins with the name of its file, of its folder or of the type of its
#            first argument.
#   mentions files that comments name exist.
# Headers say what other files see.  `--self-test` shows on a temporary tree that each rule catches a violation.
set -u
rooms=(base trace gpu detailed estimator answer calibration sampler engine sweeps cards cli)

files() { # PATTERN: product files that match
    local room
    for room in "${rooms[@]}"; do
        [ -d "$room" ] && find "$room" -name "$1" ! -path 'trace/oclgrind/*' ! -path 'trace/cuda/*'
    done | sort
}

rule_tags() {
    files '*.[ch]' | xargs -r grep -HnE '^(typedef )?(static )?(const )?(struct|union|enum) [a-z][a-z0-9_]* \{' |
        awk -F: '{ match($3, /(struct|union|enum) [a-z][a-z0-9_]*/); tag = substr($3, RSTART, RLENGTH)
                   sub(/^[a-z]+ /, "", tag)
                   if (tag in first) print $1 ":" $2 ": " tag " is defined in " first[tag] ", too"
                   else first[tag] = $1 ":" $2 }'
}

# Prototypes and inline functions of headers: "type name(first argument".
rule_prefix() {
    files '*.h' | xargs -r awk '
        FNR == 1 { n = split(FILENAME, part, "/"); stem = part[n]; sub(/\.h$/, "", stem); sub(/_internal$/, "", stem)
                   folder = part[n - 1]; room = part[1] }
        /^[a-z].*[a-z0-9_]\(/ && !/^(typedef|extern|#|enum \{|struct [a-z0-9_]+ \{)/ {
            line = $0
            sub(/^(static |inline |const |extern )*/, "", line)
            if (!match(line, /[a-z_][a-z0-9_]*\(/)) next
            name = substr(line, RSTART, RLENGTH - 1)
            if (name ~ /^(PLUMB|sizeof|if|for|while|switch|return)/) next
            rest = substr(line, RSTART + RLENGTH)
            type = ""
            if (match(rest, /^(const )?(struct|enum|union) [a-z0-9_]+/)) {
                type = substr(rest, RSTART, RLENGTH); sub(/^(const )?(struct|enum|union) /, "", type)
            }
            result = ""
            if (match(line, /^(struct|enum|union) [a-z0-9_]+/)) { result = substr(line, RSTART, RLENGTH); sub(/^[a-z]+ /, "", result) }
            k = split(stem " " folder " " room " " type " " result, may, " ")
            for (i = 1; i <= k; i++) if (fits(name, may[i])) next
            print FILENAME ":" FNR ": " name
        }
        # Its whole name, its first word where the name has several, or a short form of it (mem_ in memory/).
        function fits(name, by,   word) {
            if (name == by || index(name, by "_") == 1) return 1
            word = by; sub(/_.*/, "", word)
            if (length(word) > 1 && (name == word || index(name, word "_") == 1)) return 1
            word = name; sub(/_.*/, "", word)
            return word != name && length(word) > 2 && index(by, word) == 1
        }'
}

# Files that comments name, by their own name or a path: "see sm.h", "tests/unit/gpu/cache.c".
rule_mentions() {
    { find . -path ./.git -prune -o -path './build*' -prune -o -type f -print; echo end; files '*.[ch]'; } | awk '
        $0 == "end" { names_read = 1; next }
        !names_read { n = split($0, part, "/"); known = ""
                      for (i = n; i > 1; i--) { known = part[i] (known == "" ? "" : "/" known); there[known] = 1 }; next }
        { file = $0; inside = 0; number = 0
          while ((getline line < file) > 0) {
              number++
              rest = line; text = ""
              while (rest != "") {
                  if (!inside) { at = index(rest, "/*"); if (!at) break; rest = substr(rest, at + 2); inside = 1 }
                  at = index(rest, "*/")
                  if (!at) { text = text " " rest; break }
                  text = text " " substr(rest, 1, at - 1); rest = substr(rest, at + 2); inside = 0
              }
              while (match(text, /[A-Za-z0-9_\/.*-]+\.[ch]([^A-Za-z0-9_]|$)/)) {
                  name = substr(text, RSTART, RLENGTH); sub(/[^ch]$/, "", name); text = substr(text, RSTART + RLENGTH)
                  if (name !~ /^[a-z0-9_\/]+\.[ch]$/ || name in there) continue
                  print file ":" number ": " name " is no file"
              }
          }
          close(file) }'
}

declare -A meaning=(
    [tags]="struct, union and enum tags are unique in the tree"
    [prefix]="functions of headers begin with the name of their file, folder, room or type"
    [mentions]="comments name files that exist"
)

check() { # runs every rule in the current folder
    local rule found failed=0
    for rule in tags prefix mentions; do
        found=$(rule_$rule)
        [ -z "$found" ] && continue
        failed=1
        echo "names: ${meaning[$rule]}:"
        sed 's/^/    /' <<< "$found"
    done
    return $failed
}

plant() { # RULE FILE TEXT: fails unless the text in that file breaks that rule, and only it
    local tree found
    tree=$(mktemp -d)
    mkdir -p "$tree/$(dirname "$2")" "$tree/base/memory"
    echo 'struct known {' > "$tree/base/memory/known.h"
    printf '%s\n' "$3" > "$tree/$2"
    found=$(cd "$tree" && check)
    rm -r "$tree"
    if [ "$1" = none ]; then
        [ -z "$found" ] && return 0
    else
        [[ $found == "names: ${meaning[$1]}:"*"$2:1: "* ]] && [ "$(grep -c '^names' <<< "$found")" = 1 ] && return 0
    fi
    echo "self-test: '$3' in $2 should break: $1; found: $found"
    return 1
}

self_test() {
    local failed=0
    plant tags detailed/l1/a.c 'struct known {' || failed=1
    plant tags trace/plt/a.h 'enum known { KNOWN_N };' || failed=1
    plant none cli/run/a.c 'static struct known made(void)' || failed=1
    plant prefix gpu/cache/frc.h 'bool lookup(const struct cache *c);' || failed=1
    plant prefix gpu/cache/frc.h 'static inline int wake(int line)' || failed=1
    plant none gpu/cache/frc.h 'bool frc_lookup(const struct cache *c);' || failed=1
    plant none gpu/cache/frc.h 'bool mshr_lookup(struct mshr *m);' || failed=1
    plant mentions gpu/cache/a.c '/* See nowhere.h. */' || failed=1
    plant none gpu/cache/a.c '/* See known.h, memory/known.h and base/memory/known.h. */' || failed=1
    return $failed
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    if [ "${1:-}" = --self-test ]; then
        self_test
    else
        self_test && check
    fi
fi
