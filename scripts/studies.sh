#!/bin/bash
# Runs the papers' studies, keeps their figures in papers/*/results, computes docs/results/validation.csv from them and draws
# docs/results/figures.
#   scripts/studies.sh [--list] [NAME...]      all studies by default; hours for all of them
# A study is papers/*/studies/NAME.sql (docs/results/studies/README.md says what stands in it).  Sweeps resume where they
# were: a run that is in the database is not repeated.  One study's failure does not stop the others; status 1 then.
# PLUMB names the program, STUDIES_DB the folder of the databases (build/studies).
set -u
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.." || exit 1
source scripts/papers.bash
plumb=${PLUMB:-build/release/plumb}
databases=${STUDIES_DB:-build/studies}

head_of() { # NAME KEY: what stands behind `-- KEY:` in the study
    sed -n "s/^-- $2: *//p" "$(study_file "$1.sql")"
}

# The runs of a sweep as CSV: program, axes, the metrics asked for to six decimals, the cycle model's version.
figures() { # JSON COLUMNS VERSION
    jq -r --arg columns "$2" --arg version "$3" '
        ($columns | split(" ")) as $metrics
        | (max_by(.at | length).at | keys_unsorted) as $axes # a point has those that apply to it
        | (["program"] + $axes + $metrics + ["model_version"]),
          (.[] | [.program] + [.at[$axes[]]] + [.metrics[$metrics[]]] + [$version])
        | map(if type == "number" then . * 1e6 | round / 1e6 elif . == null then "" else . end | tostring) | join(",")' "$1"
}

# Every run of the sweep, then its figures; nothing is written of a sweep that is not whole.
sweep() { # NAME COLUMNS FOLDER
    local file db=$databases/$1.db json=$databases/$1.json missing version
    file=$(sweep_file "$1")
    "$plumb" sweep run "$file" --db "$db" -q || return 1
    "$plumb" sweep export "$file" --db "$db" --json -o "$json" || return 1
    missing=$(jq 'map(select(.status != "done")) | length' "$json")
    if [ "$missing" -ne 0 ]; then
        echo "studies.sh: $1: $missing runs are not there" >&2
        return 1
    fi
    version=$(sqlite3 "$db" "SELECT max(engine_version) FROM run WHERE engine = 'simulate'")
    keep "$3/$1.csv" figures "$json" "$2" "$version"
}

keep() { # CSV COMMAND...: its output becomes the file if it succeeds
    local csv=$1
    shift
    "$@" > "$csv.new" && mv "$csv.new" "$csv"
}

study() { # NAME
    local part folder status=0
    folder=$(figures_folder "$(study_file "$1.sql")")
    mkdir -p "$folder"
    for part in $(head_of "$1" sweeps); do
        sweep "$part" "$(head_of "$1" columns)" "$folder" || status=1
    done
    for part in $(head_of "$1" scripts); do
        keep "$folder/$part.csv" env PLUMB="$plumb" STUDIES_DB="$databases" "$(study_file "$part.sh")" || status=1
    done
    return $status
}

mapfile -t names < <(study_files | sed 's/.*\///; s/\.sql$//')
if [ "${1:-}" = --list ]; then
    for name in "${names[@]}"; do printf '%-12s %s\n' "$name" "$(head_of "$name" about)"; done
    exit 0
fi
[ $# -eq 0 ] || names=("$@")
if [ ! -x "$plumb" ]; then
    echo "studies.sh: there is no program $plumb; build plumb, or set PLUMB" >&2
    exit 2
fi
for name in "${names[@]}"; do
    [ -f "$(study_file "$name.sql")" ] && continue
    echo "studies.sh: there is no study '$name'; --list lists them" >&2
    exit 2
done
mkdir -p "$databases"
failed=0
for name in "${names[@]}"; do
    echo "== $name: $(head_of "$name" about)"
    study "$name" || failed=1
done
scripts/scoreboard.sh || failed=1
papers/figures.sh || failed=1
exit $failed
