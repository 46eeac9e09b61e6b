#!/bin/bash
# plumb trace info and trace profile: sections, JSON keys, charts, what they refuse.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

expect() { says -E "$@"; } # STATUS PATTERN ARGUMENT...

json() { # FILTER WANTED: of the document in $work/x.json
    local got
    got=$(jq -c "$1" "$work/x.json")
    [ "$got" = "$2" ] || fail "$1: $got, not $2"
}

# 8 CTAs of 2 warps read 32 elements of 4 bytes, 8 to a line: 4 transactions at any grain.
cat > "$work/stride.cfg" << 'END'
generator = "stride"; stride = 8; ctas = 8; warps_per_cta = 2; iterations = 5;
END
for section in kernels mix divergence coalescing footprint reuse rows sharing pages dependence registers launches; do
    expect 0 "stride" trace info "$work/stride.cfg" --section $section
done
expect 0 'stride +loads +80 +32.00 +4.00 \(4.00\) +4.00 \(2.00\) +4.00 \(1.00\) +100.0 %' trace info "$work/stride.cfg"
for heading in Mix Divergence Coalescing Footprint Reuse Row Sharing Pages Dependence Registers Launches; do
    grep -qi "$heading" "$work/out" || fail "no section $heading"
done
expect 0 'instructions +int +fp' trace info "$work/stride.cfg" --brief
grep -q Coalescing "$work/out" && fail "--brief says more than it should"
expect 0 '' trace info "$work/stride.cfg" --json -o "$work/x.json"
json '.total.coalescing.loads.transactions' '{"32":320,"64":320,"128":320}'
json '.total.coalescing.loads.ideal' '{"32":320,"64":160,"128":80}'
json '.total.by_active_lanes | length, .[32] == 240' $'33\nfalse'
json '.kernels | length' 1
json '.total.footprint | keys' '["bytes","lines","pages","read_only","read_write","sectors","write_only"]'
json '.total.footprint.read_only == .total.lines' true
json '.total.reuse | .accesses, .first' $'320\n320'
json '[.total.reuse.curve[].miss_ratio] | unique' '[1]'
json '.total.reuse.curve | first.bytes, last.bytes' $'1024\n65536'
json '.total.sharing.lines' '{"one_warp":320,"one_cta":0,"several_ctas":0}'
json '.total.rows | .accesses, (.hits > 0)' $'320\ntrue'
json '.total.dependence.loads_per_wait' 1
json '.total.registers | .per_lane > 0, .reads > 0, .results >= 80' $'true\ntrue\ntrue'
json '.launches[0].grid' '[8,1,1]'
json '.regions | length' 1
json '.resident_warps, .bounded' $'1024\nfalse'
json '.total.pages.all | .pages, .one + .two_consecutive + .almost_all + .other' $'10\n10'
json '.page_bytes' 4096
expect 0 '' trace info "$work/stride.cfg" --json --brief -o "$work/x.json"
json '.total | has("reuse"), has("coalescing"), .warp_instructions > 0' $'false\nfalse\ntrue'

# A CTA reads 512 bytes of each of two arrays and writes as many: eight of them share a page.
echo 'generator = "stream"; kernel = "add"; ctas = 64; warps_per_cta = 4; iterations = 4; unroll = 1;' > "$work/add.cfg"
expect 0 'add +1 +64 +96 +stride +8 +100.0 % +0.0 % +0.0 % +0.0 %' trace info "$work/add.cfg" --section pages
expect 0 'add +1 +64 +768 +stride +1 +100.0 %' trace info "$work/add.cfg" --section pages --page 512
expect 0 '' trace info "$work/add.cfg" --json --page 1024 -o "$work/x.json"
json '.page_bytes, .total.pages.all.pages' $'1024\n384'
json '.kernels[0].pages | .formation, .stride, .launches, .ctas' $'"stride"\n2\n1\n64'
json '.kernels[0].pages | .all.by_distance, .strided.one' $'[{"from":0,"pages":384}]\n384'
expect 2 '--page 1000; a power of two is needed' trace info "$work/add.cfg" --page 1000
expect 2 'from 128 to' trace info "$work/add.cfg" --page 64

# The same program, taken CTA by CTA: 4 rounds of a ring of 16 lines hit in 2 KB then.
cat > "$work/c.cfg" << 'END'
generator = "pointer_chase"; footprint = "2KB"; stride = 128; ctas = 4; warps_per_cta = 1; iterations = 8; unroll = 8;
END
expect 0 '' trace info "$work/c.cfg" --warps 1 --json -o "$work/x.json"
json '.total.reuse | .first, (.curve[] | select(.bytes == 2048) | .miss_ratio == 16 / 256)' $'16\ntrue'

if "$PLUMB" trace info "$work/c.cfg" --svg "$work/a.svg" --png "$work/a.png" > /dev/null 2> "$work/err"; then
    expect 0 '' trace info "$work/c.cfg" --svg "$work/b.svg" --png "$work/b.png" --section reuse
    cmp -s "$work/a.svg" "$work/b.svg" || fail "two SVGs of one program differ"
    cmp -s "$work/a.png" "$work/b.png" || fail "two PNGs of one program differ"
    head -c 5 "$work/a.svg" | grep -q '<?xml' || fail "the SVG does not begin as one"
    [ "$(head -c 4 "$work/a.png" | tail -c 3)" = PNG ] || fail "the PNG does not begin as one"
else
    grep -q 'gnuplot, which draws' "$work/err" || fail "no chart, and no reason"
fi
expect 1 "$work/none/a.svg" trace info "$work/c.cfg" --svg "$work/none/a.svg"
expect 1 "$work/none/a.png" trace info "$work/c.cfg" --png "$work/none/a.png"
expect 2 'allowed are kernels, mix' trace info "$work/c.cfg" --section reuse,ruse
expect 2 'allowed are kernels, mix' trace info "$work/c.cfg" --section ''
expect 2 'one of them is allowed' trace info "$work/c.cfg" --brief --section mix
expect 2 'from 1 to 65536' trace info "$work/c.cfg" --warps 0
expect 2 'from 1 to 65536' trace info "$work/c.cfg" --warps 12x
expect 2 'does not take --svg' trace check "$work/c.cfg" --svg "$work/x"

# A program without kernels is none.
mkdir "$work/empty"
echo 'MemcpyHtoD,0x00007f0000000000,4096' > "$work/empty/kernelslist.g"
expect 2 'at least one is needed' trace info "$work/empty" --svg "$work/x.svg"
[ ! -e "$work/x.svg" ] || fail "an empty chart was written"

# Profiles: estimate finds what profile made; -o makes the same file elsewhere.
expect 0 '^stride on qv100: 1 launch' trace profile "$work/stride.cfg" --machine qv100
made=$(find "$work/cache" -name '*.profile')
[ "$(wc -w <<< "$made")" = 1 ] || fail "profile left $made"
expect 0 '^stride on qv100: 1 launch in 3 sections, 320 accesses' trace profile "$work/stride.cfg" --machine qv100 -o "$work/s.profile"
cmp -s "$made" "$work/s.profile" || fail "-o makes another profile"
# Whoever makes it, with however many threads, makes the same bytes.
cat > "$work/gather.cfg" << 'END'
generator = "gather"; ctas = 16; warps_per_cta = 4; iterations = 4; unroll = 2; footprint = "1MB";
END
for threads in 1 2; do
    expect 0 '' trace profile "$work/gather.cfg" --machine qv100 --threads $threads -o "$work/$threads.profile"
done
cmp -s "$work/1.profile" "$work/2.profile" || fail "another run makes another profile"
before=$(stat -c %Y.%i "$made")
expect 0 '' estimate qv100 "$work/stride.cfg" -q
[ "$(find "$work/cache" -name '*.profile')" = "$made" ] || fail "estimate made another profile"
[ "$(stat -c %Y.%i "$made")" = "$before" ] || fail "estimate made the profile again"
expect 0 'on qv100' trace profile "$work/stride.cfg"
expect 1 'none' trace profile "$work/stride.cfg" -o "$work/none/s.profile"
expect 2 'l1.kbb' trace profile "$work/stride.cfg" --set l1.kbb=3
expect 2 'no such' trace profile "$work/nothing.cfg"
expect 2 '1 argument expected' trace profile
expect 2 "see 'plumb trace profile --help'" trace profile "$work/stride.cfg" --json
expect 2 '-o needs the name' trace profile "$work/stride.cfg" -o ''
expect 2 '--svg needs the name of a file' trace info "$work/stride.cfg" --svg ''
expect 2 '^plumb: : no such program' trace info ''

# One signal stops what reads or writes a long program, and nothing half-written stays.
cat > "$work/long.cfg" << 'END'
generator = "gather"; ctas = 4096; warps_per_cta = 8; iterations = 400; footprint = "64MB";
END
for command in "check" "generate -o $work/long.plt" "info -q"; do
    "$PLUMB" trace $command "$work/long.cfg" > "$work/out" 2> "$work/err" &
    sleep 0.5
    kill -INT $!
    wait $!
    got=$?
    [ $got -eq 130 ] || fail "interrupted $command: status $got"
    grep -q '^plumb: interrupted while' "$work/err" || fail "interrupted $command: $(cat "$work/err")"
done
compgen -G "$work/*long.plt*" && fail 'an interrupted generate left its file'

# What cannot be printed is a failed run, whatever prints it.
"$PLUMB" trace check "$work/stride.cfg" > /dev/full 2> "$work/err" && fail 'trace check to a full disk: status 0'
"$PLUMB" trace --help > /dev/full 2> "$work/err" && fail 'help to a full disk: status 0'
expect 0 '^Usage: plumb trace profile' trace profile --help
[ $failed -eq 0 ] && echo "all as expected"
exit $((failed > 0))
