#!/bin/bash
# hostile_text.sh with each text alone, and its pages in a browser where there is one.
HOSTILE=all exec bash "$(dirname "${BASH_SOURCE[0]}")/hostile_text.sh"
