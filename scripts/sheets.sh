#!/bin/bash
# Makes the presets of cards that nobody measured from their data sheets (configs/sheets.csv) and
# docs/results/sheets.md, which has what follows beside what the data sheets say.
# sheets.sh [FOLDER]: into FOLDER instead of the project, for tests.  PLUMB: the program.
set -eu
cd "$(dirname "$0")/.."
plumb=$(realpath "${PLUMB:-build/plumb}")
out=${1:-.}
mkdir -p "$out/configs/gpus" "$out/docs/results"
page=$out/docs/results/sheets.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PLUMB_CONFIG_PATH=$PWD/configs PLUMB_BANK=off

cat > "$page" << 'END'
# Cards from data sheets

`plumb machine new` makes these presets from a data sheet (`configs/sheets.csv`) and from a measured card that is like the new one.
Nothing is fitted. The presets have no calibrations, so that their estimates are not corrected. Made by `scripts/sheets.sh`; do not edit.

`plumb machine show NAME` says of each value its grade and source; values without one here are those of the other card. A memory has a power of two
of rows: the next one, where the capacity is none.

END

# values FILE: a line of a table for each value that the file sets
values() {
    awk '
        /^[a-z0-9]+ : \{/ { group = $1 }
        /^    units : / {
            for (i = 4; i < NF; i += 7) value["sm.units." $i "." $(i + 3)] = $(i + 5) + 0
            next
        }
        /^    [a-z0-9_.]+ = / && group != "evidence" { v = $0; sub(/^[^=]*= /, "", v); sub(/;$/, "", v); value[group "." $1] = v }
        /^    (measured|vendor|derived|guessed) : \(/ { grade = $1 }
        /\{ of = / { split($0, part, "\""); printf "| `%s` | %s | %s | %s |\n", part[2], part[2] in value ? value[part[2]] : "-", grade, part[4] }' "$1"
}

# graded GRADES: a machine file, whose values in GRADES ("path=grade: source;path=...") have that grade and source
graded() {
    awk -v grades="$1" '
        function put(path, grade, source) { line[grade, ++n[grade]] = sprintf("{ of = [\"%s\"]; source = \"%s\"; }", path, source) }
        BEGIN {
            for (k = split(grades, item, ";"); k > 0; k--) {
                at = index(item[k], "="); colon = index(item[k], ": ")
                path = substr(item[k], 1, at - 1)
                grade_of[path] = substr(item[k], at + 1, colon - at - 1); source_of[path] = substr(item[k], colon + 2)
            }
            names = split("measured vendor derived guessed", name, " ")
        }
        /^    (vendor|derived|guessed) : \(/ { grade = $1 }
        /\{ of = / {
            split($0, part, "\"")
            if (part[2] in grade_of) put(part[2], grade_of[part[2]], source_of[part[2]])
            else put(part[2], grade, part[4])
        }
        grade == "" { print }
        END {
            for (k = 1; k <= names; k++)
                for (i = 1; i <= n[name[k]]; i++)
                    printf "%s        %s%s", i == 1 ? "    " name[k] " : (\n" : "", line[name[k], i], i < n[name[k]] ? ",\n" : "\n    );\n"
            print "};"
        }'
}

# one CARD: its file, and its part of the page
one() {
    local name like options gbps gb tflops matrix source grades before version=1
    IFS=, read -r name like options gbps gb tflops matrix source grades before <<< "$1"
    local compare=(--gbps "$gbps" --gb "$gb")
    [ -z "$tflops" ] || compare+=(--tflops "$tflops")
    [ -z "$matrix" ] || compare+=(--matrix-tflops "$matrix")
    read -ra options <<< "$options"
    # before: the values that version 1 had, those of version 2 behind a bar, and so on
    [ -z "$before" ] || {
        before=$(awk -F ' *[|] *' '{
            for (v = 1; v <= NF; v++) printf "%s{\\n    version = %d;\\n    %s\\n}", (v > 1 ? ", " : "before : ( "), v, $v
            printf " );\\n\\n"
        }' <<< "$before")
        version=$(($(grep -o 'version = ' <<< "$before" | wc -l) + 1))
    }
    "$plumb" machine new "$name" --like "$like" "${options[@]}" "${compare[@]}" -o "$work/made.cfg" 2> "$work/report"
    sed "0,/^base /s//version     = $version;\n&/; s|^evidence : {|$before&|; s|source = \"data sheet|source = \"$source|" "$work/made.cfg" | graded "$grades" > "$out/configs/gpus/$name.cfg"
    printf '## %s\n\nLike %s. %s.\n\n| what follows | derived | data sheet | off |\n| --- | --- | --- | --- |\n' "$name" "$like" "$source"
    awk '/what follows +derived/ { on = 1; next } /inherited from/ { on = 0 }
        on && / %$/ { off = $(NF - 1) " %"; said = $(NF - 2); made = $(NF - 3); NF -= 4 }
        on && !/ %$/ && off == "" { made = $NF; said = "-"; NF -= 1 }
        on { print "| " $0 " | " made " | " said " | " (off == "" ? "-" : off) " |"; off = "" }' "$work/report" | sed 's/^| */| /'
    sed -n 's/^warning: /\n- /p' "$work/report"
    printf '\n| value | is | grade | source |\n| --- | --- | --- | --- |\n'
    values "$out/configs/gpus/$name.cfg"
    echo
}
while IFS= read -r card; do one "$card" >> "$page"; done < <(tail -n +2 configs/sheets.csv)
