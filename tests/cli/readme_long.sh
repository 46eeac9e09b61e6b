#!/bin/bash
# readme.sh with the commands that calibrate a program.
CALIBRATED=1 exec bash "$(dirname "${BASH_SOURCE[0]}")/readme.sh" "$@"
