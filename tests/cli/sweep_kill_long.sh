#!/bin/bash
# sweep_kill.sh at length: a design of 60 points, killed at 20 random moments, on the cycle model and engine auto.
set -eu
KILLS=20 ENGINES="simulate auto" L2_VALUES="32, 64, 128, 256, 512" MSHR_VALUES="4, 8, 32, 128" \
    bash "$(dirname "$0")/sweep_kill.sh"
