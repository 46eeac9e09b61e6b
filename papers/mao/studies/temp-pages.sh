#!/bin/bash
# How the kernels of suite temp's programs form thread batches of pages of 4 KB, and who shares their pages, as the traces say:
# nothing is simulated.  A row for each kernel; pages are added over its launches.  The programs are captured first:
# plumb trace suite temp.
set -euo pipefail
source scripts/suite-programs.bash
programs=$(suite_programs temp)
echo program,kernel,launches,ctas,formation,stride,pages,one,two_consecutive,almost_all,other,strided,strided_one,strided_two,strided_most,model_version
while read -r name path; do
    "$plumb" trace info --json "$path" | jq -r --arg name "$name" --arg version "$version" '
        .kernels[] | .pages.all as $all | .pages.strided as $strided
        | [$name, .kernel, .launches, .ctas, .pages.formation, .pages.stride,
           $all.pages, $all.one, $all.two_consecutive, $all.almost_all, $all.other,
           $strided.pages, $strided.one, $strided.two_consecutive, $strided.almost_all, $version]
        | map(tostring) | join(",")'
done <<< "$programs"
