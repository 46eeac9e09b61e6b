#!/bin/bash
# Mao's figures 37 and 32 as behaviour.detailed_thread_batches and unit.gpu_page_table see them.
set -euo pipefail
scripts/printed.sh behaviour_detailed_thread_batches TBAS-EX-
scripts/printed.sh unit_gpu_page_table TEMP-EX- | tail -n +2
