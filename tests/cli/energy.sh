#!/bin/bash
# plumb energy: what show and import print, and their exit status.
set -u
: "${PLUMB:?the program to test}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME=$dir/cache
failed=0

# expect STATUS TEXT ARGS...: the command ends with STATUS and its output (both streams) holds TEXT.
expect() {
    local status=$1 text=$2 got
    shift 2
    "$PLUMB" "$@" > "$dir/out" 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qF -- "$text" "$dir/out"; then
        echo "plumb $*: status $got (not $status) or no '$text' in:"
        head -20 "$dir/out"
        failed=1
    elif [ "$status" != 0 ] && [ "$(wc -l < "$dir/out")" != 1 ]; then
        echo "plumb $*: not one line:"
        cat "$dir/out"
        failed=1
    fi
}

expect 0 "Usage: plumb energy show" energy --help
expect 2 "--sector 128: a line of 64 bytes holds less" energy show cache --bytes 65536 --sector 128
expect 0 "IWL miss table      15    1024     -     8" energy show fermi-vws --set sm.throttle=iwl
expect 2 "qv100: a machine says what it has" energy show qv100 --bytes 65536
# The entries of caches.csv as they stand: 256 KiB, 32 ways: read 96.3 pJ = 8.28 + 88.0, 103.3 mW, 1.036 mm2.
expect 0 "   88     134.4" energy show rx540
expect 0 '"leakage_mw": 103.325' energy show rx540 --json
expect 0 '"area_mm2": 1.0357' energy show cache --bytes 262144 --ways 32 --json
expect 0 '"entry_bytes": [262144, 524288]' energy show cache --bytes 300000 --ways 32 --json
expect 0 '"area_from": "minimum_area"' energy show cache --bytes 300000 --ways 32 --json
expect 0 "between 196608 and 262144 bytes; area of minimum-area designs" energy show titanv --set l2.bank_kb=224
# The entries of 64 ways; CACTI refuses 24, for which 32 stand.
expect 0 "L1             80  32768    64  128/32       12.06     14.4      25.9         11.48       42.37    0.2384  caches.csv; beyond stock CACTI" energy show qv100
expect 0 "L2 slice       64  98304    24  128/32       5.772    31.12     39.42         11.32       42.81    0.3268  caches.csv; of 32 ways" energy show qv100
expect 0 '"entry_ways": 32' energy show qv100 --json
expect 0 "accesses of 64 bytes" energy show qv100 --set energy.tech_nm=22
expect 0 "not covered: 45 nm; the table has 22, 32" energy show qv100 --set energy.tech_nm=45
expect 0 "energy_mj.total" simulate qv100 configs/workloads/rx540-gather.cfg
expect 0 "energy_mj.total" estimate qv100 configs/workloads/rx540-gather.cfg
expect 0 "register file      15  131072     -   128           -    103.9     102.4             -       14.41     1.212" \
    energy show fermi-rf
racetrack="--set register_file.cells=racetrack"
expect 0 "racetracks: 1.8 pJ for a bank and bit shifted" energy show fermi-rf $racetrack
expect 0 "8336     -   128           -    8.469     8.775             -       1.534         -  register_files.csv, scaled" \
    energy show fermi-rf $racetrack --set register_file.write_buffer=64
expect 0 '"shift_pj": 7.2' energy show fermi-rf $racetrack --set energy.shift_pj=7.2 --json
expect 0 "not covered: racetracks of 8 ports, 131072 bytes in 16 banks" \
    energy show fermi-rf $racetrack --set register_file.racetrack.ports=8
expect 0 "the tables have no energy of register files ('plumb energy show' says why)" \
    simulate fermi-rf configs/workloads/rx540-gather.cfg $racetrack --set register_file.racetrack.ports=8
expect 2 "energy.register_table: no table 'none'" \
    estimate fermi-rf configs/workloads/rx540-gather.cfg --set energy.register_table=none
expect 0 "beyond stock CACTI" energy show frc --entries 64
expect 0 '"area_mm2": 0.0626534' energy show frc --entries 4 --json
expect 0 '"look_up_pj": 4.30108' energy show mshr --entries 64 --json
expect 0 '"read_pj": 53.3604' energy show rf_128B_1rw --entries 64 --json
expect 0 "7 pJ per flit" energy show rx540 --set energy.flit_pj=7.0
expect 0 "ram.csv; of 512 bytes" energy show apu-quickrelease
expect 0 "L3               4  1048576    16" energy show apu-quickrelease
expect 0 "area_mm2.total" estimate apu-quickrelease configs/workloads/rx540-gather.cfg -v
expect 2 "either --bytes or --entries" energy show cache
expect 0 "of 32 ways" energy show cache --bytes 98304 --ways 24
expect 2 "48 ways; the table has" energy show cache --bytes 98304 --ways 48
expect 2 "28 nm; the table has 22, 32" energy show mshr --entries 64 --tech 28
expect 2 "allowed are sequential, normal" energy show cache --bytes 4096 --access fast
expect 2 'no subcommand explain; allowed: show, import' energy explain rx540
expect 2 "energy.model is none" energy show rx540 --set energy.model=none
expect 2 "rx5400: no such machine" energy show rx5400

# A table of one's own: CACTI's out.csv, imported, used by its path and by its name.
cat > "$dir/out.csv" << 'END'
Tech node (nm), Capacity (bytes), Number of banks, Associativity, Output width (bits), Access time (ns), Random cycle time (ns), Dynamic search energy (nJ), Dynamic read energy (nJ), Dynamic write energy (nJ), Standby leakage per bank(mW), Area (mm2), Ndwl,
14, 16384, 1, 4, 512, 0.2, 0.1, N/A, 0.01, 0.02, 3, 0.02, 1,
14, 262144, 1, 32, 512, 0.5, 0.2, N/A, 0.05, 0.09, 40, 0.4, 1,
END
expect 0 "cache,14,262144,64,32,sequential,0.5,0.2,0.05,0.09,,,,,,40,0.4,stock" energy import "$dir/out.csv"
"$PLUMB" energy import "$dir/out.csv" -o "$dir/mine.csv" || { echo "energy import -o fails"; failed=1; }
expect 0 '"leakage_mw": 40' energy show rx540 --json --set energy.table="\"$dir/mine.csv\"" --set energy.tech_nm=14
mkdir -p "$dir/configs/tables" && mv "$dir/mine.csv" "$dir/configs/tables/mine.csv"
export PLUMB_CONFIG_PATH=$dir/configs
# No tags apart: a look-up is a whole read.
expect 0 '"look_up_pj": 50' energy show rx540 --json --set energy.table='"mine"' --set energy.tech_nm=14
expect 0 '"area_mm2"' estimate rx540 configs/workloads/rx540-gather.cfg --json --set energy.table='"mine"' --set energy.tech_nm=14
expect 2 "plumb: rx540: energy.table: no table 'yours'" estimate rx540 configs/workloads/rx540-gather.cfg --set energy.table='"yours"'
sed 's/,3,/,three,/' "$dir/configs/tables/mine.csv" > "$dir/configs/tables/broken.csv"
expect 2 "broken.csv:2: leakage_bank_mW is 'three'" simulate rx540 configs/workloads/rx540-gather.cfg --set energy.table='"broken"'
for set in yours broken; do
    printf 'base = "rx540"; energy : { table = "%s"; };\n' $set > "$dir/m.cfg"
    expect 2 "$set" machine check "$dir/m.cfg"
done
expect 2 "m.cfg: energy.table: no table 'gone'" compare "$dir/m.cfg" configs/workloads/rx540-gather.cfg --set energy.table='"gone"' --vs l1.kb=32
sed -i 's/Area/Arena/' "$dir/out.csv"
expect 2 "out.csv:1: no column 'Area (mm2)'" energy import "$dir/out.csv"
expect 2 "nothing.csv" energy import "$dir/nothing.csv"
exit $failed
