#!/bin/bash
# Renewed calibrations: one whose estimates another estimator made becomes what calibrating anew makes;
# nothing is simulated for it; what cannot be renewed is refused, and the file stays as it was.
set -u
export PLUMB; PLUMB=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache PLUMB_BANK=off
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
cd "$work" || exit 1

printf 'generator = "stream";\nctas = 24;\nwarps_per_cta = 2;\niterations = 6;\n' > a.cfg
sed 's/stream/gather/' a.cfg > b.cfg
status 'calibrate' 0 "$PLUMB" calibrate rx540 a.cfg b.cfg quick/binomial -o today.cal --points 3 -q

# Another estimator's: its version, its estimates, its errors.
before() { # FILE
    sed -E 's/^estimator_model = .*/estimator_model = 1;/; s/estimate = ([0-9]+)\.[0-9]+/estimate = \1.5/
        s/(use|errors) = \[ [^,]*,/\1 = [ 0.25,/; s/^error = .*/error = { raw = 0.2; left_out = 0.1; worst = 0.3; };/' today.cal > "$1"
}
before old.cal
cmp -s today.cal old.cal && fail 'the old calibration is that of today'
says -F 2 "plumb calibrate --renew" estimate rx540 a.cfg --cal old.cal

# Files have nine digits of what was simulated: errors are alike to six decimals.
short() { grep -v '^machine = ' "$1" | sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'; }
same() { cmp <(short "$1") <(short "$2"); }

# A bundled program is found by its name, the others stand on the command line.
says -F 0 'and none is simulated' calibrate --renew old.cal a.cfg b.cfg -o new.cal -q
same today.cal new.cal || fail 'a renewed calibration is another than one made anew'
says -F 0 'written to old.cal' calibrate --renew old.cal b.cfg a.cfg -q
same today.cal old.cal || fail 'a calibration renewed in its place is another than one made anew'
says -F 0 'corrected by' estimate rx540 a.cfg --cal old.cal

# A machine whose values have changed since: its runs are renewed, and the answer names what is missing.
printf 'base = "rx540";\nname = "rx540";\nl2 : { latency = 33; };\n' > moved.cfg
before moved.cal
says -F 0 'differs from the nearest in l2.latency' calibrate --renew moved.cal --machine ./moved.cfg a.cfg b.cfg -q
before kept.cal
"$PLUMB" calibrate --renew kept.cal a.cfg b.cfg -q > said 2>&1 || fail 'renewal of a machine with its values'
grep -q 'as it is now' said && fail "values that did not change: $(cat said)"

# A program that is not found: its runs stay where they are, or are left out of another file.
before old.cal
cp old.cal kept.cal
says -F 2 '3 of its 9 runs were not found: b' calibrate --renew old.cal a.cfg -q
cmp old.cal kept.cal || fail 'a refused renewal changes its file'
says -F 0 '3 runs are left out, since their programs were not found: b' calibrate --renew old.cal a.cfg -o part.cal -q
[ "$(grep -c 'errors = ' part.cal)" -eq 6 ] || fail "a part: $(grep -c 'errors = ' part.cal) runs, not 6"
says -F 2 'no such program' calibrate --renew old.cal a.cfg nowhere.cfg -q

# Runs of another cycle model, of machines that are no preset, and of values that no machine has.
sed 's/^cycle_model = .*/cycle_model = 1;/' old.cal > cycles.cal
says -F 2 'its runs are of cycle model 1' calibrate --renew cycles.cal a.cfg b.cfg -q
"$PLUMB" machine show rx540 -o own.cfg > /dev/null
sed 's/^machine = .*/machine = "own";/' old.cal > own.cal
says -F 2 'own.cal was made for own, which is no preset' calibrate --renew own.cal a.cfg b.cfg -q
says -F 0 'and none is simulated' calibrate --renew own.cal --machine own.cfg a.cfg b.cfg -q
same today.cal own.cal || fail 'a machine of a file: another calibration'
sed -E '0,/^first = \[ [0-9]+,/s//first = [ 1e300,/' old.cal > values.cal
says -F 2 'cannot be built from rx540: clock.core_mhz' calibrate --renew values.cal a.cfg b.cfg -q
sed -E '0,/simulated = \[ [0-9]+,/s//simulated = [ -1,/' old.cal > cycles.cal
says -F 2 'must be positive' calibrate --renew cycles.cal a.cfg b.cfg -q
sed -E '0,/ program = 0;/s// program = 3;/' old.cal > position.cal
says -F 2 "'program' must be the position" calibrate --renew position.cal a.cfg b.cfg -q
sed '/^runs = (/,$d' old.cal > none.cal
says -F 2 'it has no runs' calibrate --renew none.cal -q
for option in '--points 4' '--set l2.latency=20' '--choose active' '--db x.db'; do
    # shellcheck disable=SC2086
    says -F 2 "${option%% *} does not go with --renew" calibrate --renew old.cal $option
done
says -F 2 'PROGRAM is needed here' calibrate --renew old.cal rx540 -q
says -F 2 'is needed here' calibrate --renew old.cal a.cfg rx540 -q
exit $((failed > 0))
