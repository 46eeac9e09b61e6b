#!/bin/bash
# Mao's figure 34 as unit.trace_page_sharing sees it.
exec scripts/printed.sh unit_trace_page_sharing TEMP-EX-
