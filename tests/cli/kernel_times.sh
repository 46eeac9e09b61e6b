#!/bin/bash
# Does the preloaded library time every launch of a program?  Run under Oclgrind (status 77 without it): a row for each
# launch with its kernel and sizes, after one for the empty kernel; a second run is appended; what it cannot do it says.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs scan vectoradd
library=$(dirname "$plumb")/workloads/libkernel_times.so
icd=${PLUMB_OCLGRIND_ICD:-/usr/lib/oclgrind/liboclgrind-rt-icd.so}
[ -f "$library" ] && [ -f "$icd" ] || { echo "not tested, missing: $library or $icd"; exit 77; }
export OCL_ICD_VENDORS=$icd KERNEL_TIMES_WARM=0.01 KERNEL_TIMES_OUT=$work/times.csv
cd "$work" || exit 1

status 'scan' 0 env LD_PRELOAD="$library" "$programs/scan" 4096
KERNEL_TIMES_PROGRAM='add, "up"' status 'vectoradd' 0 env LD_PRELOAD="$library" "$programs/vectoradd" 1024
status 'scan again' 0 env LD_PRELOAD="$library" "$programs/scan" 4096
# 4,096 numbers: blocks of 256, the 16 sums of theirs, and these added
awk -F, '{ print $1 "," $3 "," $4 "," $5 "," $6 }' times.csv > rows
cat > wanted << 'ROWS'
program,launch,kernel,items,group
scan,-1,nothing,256,256
scan,0,scan_blocks,2048,128
scan,1,scan_blocks,128,128
scan,2,scan_add,4096,256
add   up ,-1,nothing,256,256
add   up ,0,vectoradd,1024,256
scan,-1,nothing,256,256
scan,0,scan_blocks,2048,128
scan,1,scan_blocks,128,128
scan,2,scan_add,4096,256
ROWS
cmp -s rows wanted || { fail 'other rows than these:'; diff wanted rows; }
awk -F, 'NR > 1 && (NF != 7 || $2 == "" || $7 !~ /^[0-9]+\.[0-9]+$/) { bad = 1; print } END { exit bad }' times.csv ||
    fail 'a row without its device or time'

KERNEL_TIMES_OUT=$work/none/x.csv status 'no such folder' 1 env LD_PRELOAD="$library" "$programs/vectoradd" 1024
grep -q '^error: kernel_times: .*none/x.csv: No such file' err || fail "no such folder: $(cat err)"
KERNEL_TIMES_WARM=long status 'no seconds' 1 env LD_PRELOAD="$library" "$programs/vectoradd" 1024
grep -q '^error: kernel_times: KERNEL_TIMES_WARM: ' err || fail "no seconds: $(cat err)"

finish 'every launch is timed'
