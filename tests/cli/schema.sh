#!/bin/bash
# Does the schema of answers hold every metric, and does it keep to what was published (tests/data/metrics.schema.json)?  Keys
# may come; none goes, and none changes its type or its bounds.  A release puts `plumb metrics --schema` there.
set -u
: "${PLUMB:?the program to test}"
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
published=tests/data/metrics.schema.json

# What a schema takes away from the published one, a line each.
cat > "$work/taken.jq" << 'END'
def bounds: with_entries(select(.key | IN("type", "minimum", "maximum", "minItems", "maxItems", "$ref"))) +
    if .additionalProperties == false then {closed: true} else {} end;
$published[0] as $old | . as $new | $old | [paths(type == "object")] + [[]] | .[] as $at |
($old | getpath($at)) as $was | (try ($new | getpath($at)) catch null) as $is | ($at | join(".")) as $name |
if ($is | type) != "object" then "\($name) is gone"
elif ($was | bounds) != ($is | bounds) then "\($name) has other bounds: \($is | bounds | tojson)"
else (("required", "enum") as $list | ($was[$list] // [])[] as $word | select(($is[$list] // []) | index([$word]) | not) |
      "\($name): \($list) lacks \($word)"),
     ($is.enum // empty | select($was.enum | not) | "\($name) takes some values only")
end
END
taken() { jq -r --slurpfile published "$published" -f "$work/taken.jq" "$1"; }

"$PLUMB" metrics --schema > "$work/schema" || fail "metrics --schema ends with $?"
lost=$(taken "$work/schema") || fail 'the comparison failed'
[ -z "$lost" ] || fail "taken away from what was published: $lost"
cmp -s "$work/schema" "$(dirname "$PLUMB")/share/metrics.schema.json" || fail "the build's share/metrics.schema.json is another"

# Every metric has its place, and those that have a half width theirs.
missing=$("$PLUMB" metrics --json | jq -r --slurpfile schema "$work/schema" '$schema[0]["$defs"] as $all | .[] |
    ((.name / ".") | map("properties", .)) as $at |
    ($all.metrics | getpath($at)) as $leaf | $all.answer.properties[.name / "." | .[0]] as $reference |
    select($leaf.type != "number" or $reference == null or $all.kernel.properties[.name / "." | .[0]] != $reference or
           (.name | startswith("latency.") | not) and
           $all.answer.properties.confidence.properties.half_widths.properties[.name] == null) | .name')
[ -z "$missing" ] || fail "not in the schema: $missing"

# The comparison sees what is taken away, and nothing in what is added.
planted() { # WANTED FILTER: what the comparison says of the schema after the filter
    jq "$2" "$work/schema" > "$work/planted"
    [[ $(taken "$work/planted") == $1 ]] || fail "after '$2' the comparison says: $(taken "$work/planted")"
}
metrics='."$defs".metrics.properties'
planted '*.l2.properties.hit_rate is gone' "del($metrics.l2.properties.hit_rate)"
planted '*.l3 is gone*' "del($metrics.l3)"
planted '*.hit_rate has other bounds*' "$metrics.l2.properties.hit_rate.maximum = 0.5"
planted '*.hit_rate has other bounds*' "del($metrics.l2.properties.hit_rate.maximum)"
planted '*.far_share has other bounds*' "$metrics.register_file.properties.far_share.maximum = 1"
planted '*.cycles has other bounds*' "$metrics.cycles.type = \"string\""
planted '*required lacks host' '."$defs".answer.required -= ["host"]'
planted '*enum lacks sample' '."$defs".answer.properties.engine.enum -= ["sample"]'
planted '*takes some values only' '."$defs".answer.properties.machine.enum = ["rx540"]'
planted '' "$metrics.l2.properties.another = {type: \"number\", maximum: 1} | ."'"$defs".answer.properties.engine.enum += ["guess"]'

# One form at a time.
says -F 2 'exclude each other' metrics --schema --markdown
says -F 2 'exclude each other' metrics --schema --json
says -F 2 'are of all metrics' metrics hit_rate --schema
exit $((failed > 0))
