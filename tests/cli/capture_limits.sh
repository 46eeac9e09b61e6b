#!/bin/bash
# `plumb trace capture --registers N --resident-warps N`: are both in the trace, with the same instructions as
# without, and does every engine keep to them?  A launch limited to W warps takes as long as an unlimited one
# on an SM of W.  Status 77 without Oclgrind, the plugin or the program.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs vectoradd

take() { # NAME OPTION...: 512 CTAs of eight warps
    local name=$1
    shift
    "$plumb" trace capture -o "$work/$name.plt" "$@" -- "$programs/vectoradd" 131072 > "$work/out" 2>&1 ||
        fail "$name: $(tail -n 1 "$work/out")"
    "$plumb" trace info --json "$work/$name.plt" > "$work/$name.json"
}

instructions() { # NAME: what its kernels do; registers are of 32 bits where a launch says how many it has
    jq -c '.kernels | del(.[].registers)' "$work/$1.json"
}

launch() { # NAME: what its launches say
    jq -c '[.launches[] | .registers_per_lane, .resident_warps]' "$work/$1.json"
}

take plain
take known --registers 40
take limited --registers 40 --resident-warps 16
take odd --registers 40 --resident-warps 15 --width 32
take single --registers 40 --resident-warps 1
[ "$(launch plain)" = '[null,null]' ] || fail "plain: $(launch plain)"
[ "$(launch known)" = '[40,null]' ] || fail "known: $(launch known)"
[ "$(launch limited)" = '[40,16]' ] || fail "limited: $(launch limited)"
[ "$(launch odd)" = '[40,15]' ] || fail "odd: $(launch odd)"
for name in known limited single; do
    [ "$(instructions "$name")" = "$(instructions plain)" ] ||
        fail "$name: other instructions than without options"
done
[ "$(jq -s '[.[].digest] | unique | length' "$work"/{plain,known,limited,odd,single}.json)" = 5 ] ||
    fail 'two of the traces have one digest'
"$plumb" trace info --section launches "$work/limited.plt" > "$work/out"
grep -qE 'registers +shared +resident warps$' "$work/out" || fail "info: $(cat "$work/out")"
grep -qE ' 40 +0 B +16$' "$work/out" || fail "info: $(tail -n 1 "$work/out")"

# --- engines: gtx480 holds six CTAs of eight warps, by their 40 registers three
cycles() { # ENGINE PROGRAM OPTION...
    local engine=$1 name=$2
    shift 2
    "$plumb" "$engine" gtx480 "$work/$name.plt" "$@" --json 2> "$work/err" | jq .cycles
}
for engine in simulate estimate sample; do
    cal=()
    [ $engine != estimate ] || cal=(--cal none)
    all=$(cycles $engine known "${cal[@]}")
    for case in 'limited 16' 'odd 8' 'single 8'; do
        read -r name warps <<< "$case"
        got=$(cycles $engine "$name" "${cal[@]}")
        want=$(cycles $engine known --set "sm.max_warps=$warps" "${cal[@]}")
        [ -n "$got" ] && [ "$got" = "$want" ] || fail "$engine: $name takes '$got', on an SM of $warps warps '$want'"
        [ "$got" != "$all" ] || fail "$engine: $name takes as long as without a limit"
    done
done
three=$(cycles simulate plain --set sm.max_warps=24)
[ "$(cycles simulate known)" = "$three" ] || fail "40 registers: $(cycles simulate known), on an SM of 24 warps $three"

# --- bad values: one line, status 2, no file
for bad in '--registers 0' '--registers 1025' '--registers x' '--resident-warps 0' '--resident-warps 4097' \
    '--resident-warps 1.5' '--unroll 0' '--unroll -1' '--unroll 65' '--unroll 99999999999999999999' '--unroll x'; do
    # shellcheck disable=SC2086
    "$plumb" trace capture -o "$work/bad.plt" $bad -- "$programs/vectoradd" 1024 > "$work/out" 2>&1
    status=$?
    [ $status -eq 2 ] || fail "$bad: status $status"
    [ "$(wc -l < "$work/out")" -eq 1 ] && grep -q -- "${bad% *}" "$work/out" || fail "$bad: says $(head -n 1 "$work/out")"
    [ ! -e "$work/bad.plt" ] || fail "$bad: a trace was written"
done

finish 'registers and limits of warps are captured, and engines keep to them'
