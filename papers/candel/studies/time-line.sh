#!/bin/bash
# The time line of Candel's figure 6.2 as unit.detailed_time_line sees it.
exec scripts/printed.sh unit_detailed_time_line TL-
