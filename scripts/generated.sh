#!/bin/bash
# Brings everything that is made from the tables of the program up to date: the reference pages, the man page, the
# completions, and what docs/metrics.schema.json says of metrics.  Usage: scripts/generated.sh [PLUMB]
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
plumb=${1:-build/fast/plumb}

"$plumb" machine params --markdown > docs/parameters.md
"$plumb" machine mechanisms --markdown > docs/models/mechanisms.md
"$plumb" metrics --markdown > docs/guide/metrics.md
"$plumb" help --man > docs/plumb.1
"$plumb" help --markdown > docs/guide/commands.md
"$plumb" help --bash > share/plumb.bash
"$plumb" help --zsh > share/plumb.zsh

# Each metric stands in the tree of its name, and under its name among the half widths of a sample; bounds that somebody
# added stay.
schema=$(jq --indent 2 --slurpfile all <("$plumb" metrics --json) '
    def leaf: {type: "number"} +
        (if .meaning == "" then {} else {description: "\(.meaning) [\(.unit)]"} end) + {minimum: 0};
    def tree: reduce $all[0][] as $m ({}; ($m.name / ".") as $at |
        reduce range(1; $at | length) as $n (.; (($at[:$n] | map("properties", .))[1:]) as $part |
            setpath($part + ["type"]; "object") | setpath($part + ["additionalProperties"]; false)) |
        setpath(($at | map("properties", .))[1:]; $m | leaf));
    def half_widths: [$all[0][] | select(.name | startswith("latency.") | not) |
        {key: .name, value: {type: "number", minimum: 0}}] | from_entries;
    ."$defs".metrics.properties |= . * tree |
    ."$defs".answer.properties.confidence.properties.half_widths.properties |= . * half_widths' docs/metrics.schema.json)
printf '%s\n' "$schema" > docs/metrics.schema.json
