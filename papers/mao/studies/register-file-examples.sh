#!/bin/bash
# Mao's figure 8 as unit.gpu_rmws sees it.
exec scripts/printed.sh unit_gpu_rmws RM-EX-
