#!/bin/bash
# Mao's figures 22 and 23 as behaviour.detailed_warps sees them.
exec scripts/printed.sh behaviour_detailed_warps VWS-EX-
