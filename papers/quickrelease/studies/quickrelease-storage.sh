#!/bin/bash
# What the presets of QuickRelease's APU say of its storage, as CSV: KB of the write caches over the chip, KB of the read
# caches that they stand beside, blocks of the directory and of the MSHRs of read for ownership, bytes of a line.
#   PLUMB names the program
set -eu
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')
value() { # MACHINE PATH
    "$PLUMB" machine show "$1" --json | jq -r --arg path "$2" '.parameters[$path]'
}
qr=apu-quickrelease rfo=apu-quickrelease-rfo
sms=$(value $qr sm.count)
slices=$(value $qr l2.banks)
echo "wl1_kb,wl2_kb,wl3_kb,l1_kb,l2_kb,l3_kb,directory_blocks,mshrs,line_bytes,model_version"
echo "$((sms * $(value $qr l1.write_cache.kb))),$((slices * $(value $qr l2.write_cache.kb))),$(value $qr l3.write_cache.kb),$(
    )$((sms * $(value $qr l1.kb))),$((slices * $(value $qr l2.bank_kb))),$(value $qr l3.kb),$(
    )$(value $rfo coherence.directory_entries),$((slices * $(value $rfo l2.mshr.entries))),$(value $qr l2.line_bytes),$(
    )$version"
