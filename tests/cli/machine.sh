# plumb machine: what each subcommand prints, and its exit status.
set -u
: "${PLUMB:?the program to test}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# expect STATUS TEXT ARGS...: the command ends with STATUS and its output (both streams) holds TEXT.
expect() {
    local status=$1 text=$2 got
    shift 2
    "$PLUMB" machine "$@" >"$dir/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qF -- "$text" "$dir/out"; then
        echo "plumb machine $*: status $got (not $status) or no '$text' in:"
        head -20 "$dir/out"
        failed=1
    fi
}

printf 'base = "rx540";\nsm : { count = 4; };\n' >"$dir/good.cfg"
printf 'sm : {\n cout = 4;\n};\nl2 : { bank_kb = 0; };\n' >"$dir/bad.cfg"

expect 0 "list" --help
for sub in list show params check diff; do
    expect 0 "plumb machine $sub" $sub --help
done
expect 0 "870.4" list
expect 0 '"machine": "rx540"' list --json
expect 0 'bank_kb = 512; # KB' show rx540 --set l2.bank_kb=512
expect 0 'peak_gbps' show "$dir/good.cfg"
expect 0 '"sm.count": 4' show "$dir/good.cfg" --json
expect 0 'Candel' params l2.miss_management
expect 0 '"path": "l2.bank_kb"' params l2.bank --json
expect 0 '| `l2.bank_kb` |' params --markdown
expect 0 'fine' check "$dir/good.cfg"
expect 2 "plumb: $dir/bad.cfg:2: sm.cout: unknown parameter" check "$dir/good.cfg" "$dir/bad.cfg"
expect 2 "plumb: $dir/bad.cfg:4: l2.bank_kb: 0 is out of range" check "$dir/bad.cfg"
expect 0 'sm.count ' diff rx540 "$dir/good.cfg"
expect 0 '"hbm2"' diff rx540 rx540 --set dram.set=hbm2
expect 2 'no such machine' show nothing
expect 2 'list, show, params' frobnicate
expect 2 'not understood' list --wrong
expect 2 'allowed: list' # no subcommand

# What show prints loads again, to the same machine.
"$PLUMB" machine show qv100 >"$dir/dump.cfg"
"$PLUMB" machine diff qv100 "$dir/dump.cfg" >"$dir/differ"
if [ -s "$dir/differ" ]; then
    echo "show does not load back:"
    cat "$dir/differ"
    failed=1
fi
exit $failed
