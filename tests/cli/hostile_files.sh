#!/bin/bash
# Can anything that a file says break a run?  Addresses at the end of the address space, copies beyond it,
# pipes, control characters in names, many launches: a right answer or one line and exit status 2, in seconds.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
failed=0

fail() { echo "FAIL $*"; failed=$((failed + 1)); }

# program DIR ADDRESSES [NAME [TRACER]]: one warp of 32 lanes that loads from there
program() {
    mkdir -p "$1"
    echo kernel-1.traceg > "$1/kernelslist.g"
    {
        printf -- '-kernel name = %s\n-kernel id = 1\n-grid dim = (1,1,1)\n' "${3:-k}"
        printf -- '-block dim = (32,1,1)\n-shmem = 0\n-nregs = 32\n-binary version = 70\n'
        printf -- '-accelsim tracer version = %s\n#traces\n#BEGIN_TB\nthread block = 0,0,0\n' "${4:-5}"
        printf 'warp = 0\ninsts = 2\n0040 ffffffff 1 R16 LDG.E.SYS 1 R2 4 %s 0\n' "$2"
        printf '0070 ffffffff 0 EXIT 0 0 0\n#END_TB\n'
    } > "$1/kernel-1.traceg"
}

run() { timeout -k 1 30 "$plumb" "$@" > "$work/out" 2> "$work/err"; } # exit status: the command's

# answers NAME SECTORS: every engine ends well, and so many sectors are loaded
answers() {
    for engine in estimate simulate sample; do
        run "$engine" titanv "$work/$1" --json || fail "$1: $engine ended with $?"
        got=$(grep -o '"accesses": [0-9.]*' "$work/out" | head -1) # the L1's
        [ "$got" = "\"accesses\": $2" ] || fail "$1: $engine: $got, expected $2"
    done
    run trace info "$work/$1" || fail "$1: trace info ended with $?"
}

# refused NAME WORDS COMMAND...: exit status 2, one line
refused() {
    local name=$1 words=$2
    shift 2
    run "$@"
    [ $? -eq 2 ] || fail "$name: not refused"
    [ "$(wc -l < "$work/err")" -eq 1 ] || fail "$name: $(wc -l < "$work/err") lines"
    grep -q -- "$words" "$work/err" || fail "$name: $(head -1 "$work/err")"
}

# --- addresses are numbers modulo 2^64; 8 lanes join in sectors of 32 bytes, address 0 is no access
program "$work/last" '1 0xfffffffffffffff0 0'     # all lanes in the last sector
program "$work/odd" '1 0xffffffffffffffff 0'      # each lane in the last and the first sector
program "$work/round" '1 0xfffffffffffffff0 4'    # 16 bytes before the end, then from 0 on
program "$work/down" '1 0x10 -4'                  # from 16 down past 0
program "$work/leap" '1 0xfffffffffffffff0 -9223372036854775808'
answers last 4
answers odd 8
answers round 8 # each group of 32 bytes lies across a border
answers down 8
answers leap 8

# --- numbers that do not fit
program "$work/digits" '1 0xfffffffffffffffff 4'
refused '17 digits' 'base and stride' simulate titanv "$work/digits"
program "$work/tracer" '1 0x1000 4' k 6
refused 'tracer version' 'version 5' trace info "$work/tracer"
for copy in 0xffffffffffffffff,18446744073709551615 0x1000,-5 0x1000,18446744073709551616; do
    program "$work/copy" '1 0x1000 4'
    printf 'MemcpyHtoD,%s\nkernel-1.traceg\n' "$copy" > "$work/copy/kernelslist.g"
    refused "copy $copy" 'kernelslist.g:1' simulate titanv "$work/copy"
done
program "$work/large" '1 0x1000 4'
printf 'MemcpyHtoD,0x10,18446744073709551000\nkernel-1.traceg\n' > "$work/large/kernelslist.g"
for engine in estimate simulate sample; do
    run $engine titanv "$work/large" || fail "a copy of nearly all memory: $engine ended with $?"
done

# --- pipes
mkfifo "$work/pipe" "$work/pipe.plt" "$work/pipe.cfg"
refused 'a pipe as trace' 'regular file' estimate rx540 "$work/pipe.plt"
refused 'a pipe as machine' 'regular file' machine check "$work/pipe.cfg"
program "$work/piped" '1 0x1000 4'
rm "$work/piped/kernel-1.traceg"
mkfifo "$work/piped/kernel-1.traceg"
refused 'a pipe in a directory' 'regular file' estimate rx540 "$work/piped"
run machine check <(echo 'base = "rx540";') || fail "process substitution: $(head -1 "$work/err")"

# --- what never ends, or is almost nothing: each input of every command: refused soon, in one line
# bomb NAME: into the file NAME a zstd archive of a few kilobytes that holds 50 MB of the line on standard input
bomb() { head -c 50000000 < <(yes -- "$(cat)") | zstd -q > "$1"; }
quick() { # NAME WORDS COMMAND...
    local start=$EPOCHREALTIME
    refused "$@"
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { exit b - a > 5 }' || fail "$1: it took more than 5 s"
}
program "$work/bomb" '1 0x1000 4'
echo '' | bomb "$work/empty"
echo '-binary version = 70' | bomb "$work/headers"
cp "$work/bomb/kernel-1.traceg" "$work/sound.traceg"
rm "$work/bomb/kernel-1.traceg"
cp "$work/empty" "$work/bomb/kernel-1.traceg.zst"
quick 'empty lines' 'kernel-1.traceg.zst:[0-9]*: the 2 MiB before' trace info "$work/bomb"
cp "$work/headers" "$work/bomb/kernel-1.traceg.zst"
quick 'lines of a header' 'kernel-1.traceg.zst:[0-9]*: the 2 MiB before' estimate titanv "$work/bomb" -q
{ head -n 12 "$work/sound.traceg" | zstd -q; cat "$work/empty"; } > "$work/bomb/kernel-1.traceg.zst"
quick 'empty lines in a warp' 'kernel-1.traceg.zst:[0-9]*: the 2 MiB before' simulate titanv "$work/bomb"
{ zstd -q < "$work/sound.traceg"; cat "$work/empty"; } > "$work/bomb/kernel-1.traceg.zst"
quick 'empty lines at the end' 'kernel-1.traceg.zst:[0-9]*: the 2 MiB before' simulate titanv "$work/bomb"
cp "$work/sound.traceg" "$work/bomb/kernel-1.traceg"
cp "$work/empty" "$work/bomb/kernelslist.g"
quick 'an empty list' 'kernelslist.g:[0-9]*: the 2 MiB before' trace info "$work/bomb"
echo '# nothing' | bomb "$work/requests.zst"
quick 'comments in a trace of requests' 'requests.zst:[0-9]*: the 2 MiB before' dram hbm2 --trace "$work/requests.zst"
echo 'base = "rx540";' > "$work/sound.cfg"
truncate -s 1T "$work/hole"
truncate -s 1T "$work/hole.plt"
mkdir "$work/folder"
for file in /dev/zero "$work/pipe" "$work/hole" "$work/folder" /proc/kmsg; do
    echo "@include \"$file\"" > "$work/includes.cfg"
    what="${file##*/}:"
    quick "$file as a machine" "$what" machine check "$file"
    quick "$file in a machine" "$what" machine check "$work/includes.cfg"
    quick "$file as a program" "$what" estimate rx540 "$file"
    quick "$file as a calibration" "$what" estimate rx540 fwt --cal "$file"
    quick "$file as a sweep" "$what" sweep run "$file"
    quick "$file as a database" "$what" report "$file" -o "$work/page.html"
    quick "$file as the output of a sweep" "$what" sweep run configs/sweeps/rx540-demo.cfg --db "$file"
    quick "$file as a list of requests" "$what" dram hbm2 --trace "$file"
    quick "$file as a table of energies" "$what" machine check rx540 --set energy.table="$file"
    quick "$file as a timing set" "$what" machine check rx540 --set dram.set="$file"
    quick "$file as GPGPU-Sim's options" "$what" machine import "$file"
done
quick 'a hole as a trace' 'hole.plt: ' trace info "$work/hole.plt"
rm "$work/bomb/kernel-1.traceg" && ln -s "$work/hole" "$work/bomb/kernel-1.traceg"
echo kernel-1.traceg > "$work/bomb/kernelslist.g"
quick 'a hole in a directory' 'kernel-1.traceg:1: ' trace info "$work/bomb"

# --- names
program "$work/name" '1 0x1000 4' "$(printf 'a\033[31mb')"
for command in 'trace info' 'estimate titanv' 'simulate titanv'; do
    run $command "$work/name" || fail "$command of an odd name ended with $?"
    grep -q "$(printf '\033')" "$work/out" "$work/err" && fail "$command prints an escape"
done
refused 'an odd argument' 'no such' estimate "$(printf 'a\nb\033[31m')" gather
grep -q "$(printf '\033')" "$work/err" && fail 'an argument is printed with its escape'

# --- many launches: linear in time and memory
program "$work/many" '1 0x1000 4'
yes kernel-1.traceg | head -n 5000 > "$work/many/kernelslist.g"
for command in 'trace info' 'estimate titanv' 'simulate titanv' 'sample titanv'; do
    (ulimit -v 1500000 && timeout -k 1 120 "$plumb" $command "$work/many" > "$work/out" 2> "$work/err") ||
        fail "$command of 5000 launches: $? $(head -1 "$work/err")"
done

# --- machines: what cannot be represented or held
for i in $(seq 100000); do echo "unknown_key_$i = 1;"; done > "$work/keys.cfg"
run machine check "$work/keys.cfg"
[ $? -eq 2 ] || fail 'unknown keys: not refused'
printf 'base = "hd7770-hpcs15";\ndram : { channels = 256; fixed_latency = 1000000; };\n' > "$work/big.cfg"
(ulimit -v 4000000 && "$plumb" machine check "$work/big.cfg" > "$work/out" 2> "$work/err")
[ $? -eq 2 ] && grep -q 'GB of memory' "$work/err" || fail "more memory than there is: $(head -1 "$work/err")"

[ $failed -eq 0 ] && echo "hostile files: all refused or answered"
exit $((failed > 0))
