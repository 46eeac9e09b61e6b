#!/bin/bash
# Which versions of the models made the tables of docs/results? Each section with a table has, itself or above it, a line
# "Models: NAME NUMBER, ..." with the models that its figures hang on; "5 to 6": both versions give these figures. Printed are
# the tables that are behind the program's models; those whose command README.md's table of figures names must not be.
#   tests/cli/results.sh [FILE.md...]
set -u
: "${PLUMB:=build/test/plumb}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

pages=("$@")
[ ${#pages[@]} -gt 0 ] || mapfile -t pages < <(find docs/results -maxdepth 1 -name '*.md' ! -name index.md ! -name sheets.md | sort) # sheets.md: what follows from presets, no model's figures
"$PLUMB" --version | sed -n 's/^models: //p' | tr ',' '\n' | awk '{ print $1, $2 }' > "$work/today"
[ "$(wc -l < "$work/today")" -ge 3 ] || fail "plumb --version names no models"

# PAGE<TAB>SECTION<TAB>MODELS<TAB>COMMANDS of each section with a table of figures. Commands: in backquotes in the section's
# heading or behind its models, or behind "Made by" at the top of the page.
awk -v OFS='\t' '
    function commands(s,   all) {
        while (match(s, /`[^`]+`/)) { all = all substr(s, RSTART, RLENGTH); s = substr(s, RSTART + RLENGTH) }
        return all
    }
    function section(level, title) {
        for (i = level; i <= 3; i++) models[i] = ""
        at = level; name = title; said = commands(title)
    }
    FNR == 1 { page = FILENAME; sub(/.*\//, "", page); made = ""; shown = "" }
    /^#+ / { match($0, /^#+/); section(RLENGTH, substr($0, RLENGTH + 2)); shown = "" }
    /^Models: / { said = said commands($0); models[at] = $0; sub(/^Models: /, "", models[at]); sub(/\.$/, "", models[at]) }
    /^Made by / { made = commands($0) }
    /^\|.*[0-9]/ && shown != name {
        shown = name
        best = ""
        for (i = 3; i >= 1 && best == ""; i--) best = models[i]
        print page, name, best == "" ? "-" : best, (said made) == "" ? "-" : said made
    }' "${pages[@]}" > "$work/tables"

# The commands that README's table says its figures are made by.
sed -n '/^| what | figure | made by |/,/^$/p' README.md | awk -F'|' 'NR > 2 { print $4 }' | grep -o '`[^`]*`' | tr -d '`' | sort -u > "$work/cited"
[ -s "$work/cited" ] || fail 'README.md has no table of figures with commands'

is_cited() { # COMMANDS
    while read -r command; do
        case $1 in *"$command"*) return 0 ;; esac
    done < "$work/cited"
    return 1
}

behind() { # MODELS: what is older than today
    local name number today
    while read -r name number; do
        number=${number##* to }
        today=$(awk -v name="$name" '$1 == name { print $2 }' "$work/today")
        [ -n "$today" ] || { echo "$name?"; continue; }
        [ "$number" = "$today" ] || echo "$name $number ($today)"
    done < <(tr ',' '\n' <<< "$1" | sed 's/^ *//; s/ (.*//')
}

while IFS=$'\t' read -r page name models commands; do
    case $models in
    -) fail "$page: '$name' does not say which models made its table" ;;
    any* | none) ;;
    *)
        old=$(behind "$models" | paste -sd ';')
        case $old in *'?'*) fail "$page: '$name': no models of plumb: $models" ;; esac
        [ -z "$old" ] || echo "behind: $page: $name: $old"
        [ -z "$old" ] || ! is_cited "$commands" || fail "$page: '$name': README.md cites it, and it is behind: $old"
        ;;
    esac
done < "$work/tables"
[ "$(wc -l < "$work/tables")" -ge 10 ] || [ $# -gt 0 ] || fail 'no tables'
exit $((failed > 0))
