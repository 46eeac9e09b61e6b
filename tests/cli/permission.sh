#!/bin/bash
# A file that may not be read, a folder that may not be searched or written to: what is told names the file and says
# "Permission denied", for every kind of file that a user names; nothing says that there is no such file.
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
if [ "$(id -u)" = 0 ]; then # root may do all
    command -v setpriv > /dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups "$plumb" --version > /dev/null 2>&1 ||
        { echo 'root, and no other user can start plumb'; exit 77; }
    PLUMB=$plumb exec setpriv --reuid=65534 --regid=65534 --clear-groups bash "${BASH_SOURCE[0]}"
fi
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
work=$(mktemp -d)
trap 'chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache HOME=$work
cd "$work" || exit 1

denied() { # FILE ARGUMENT...: plumb refuses, names the file and says why, without "no such"
    local file=$1 got
    shift
    "$plumb" "$@" > out 2> err < /dev/null
    got=$?
    [ $got -eq 1 ] || [ $got -eq 2 ] || fail "plumb $*: exit status $got"
    grep -F "$file" err | grep -q 'Permission denied' || fail "plumb $*: $(head -2 err)"
    grep -qi 'no such' err && fail "plumb $*: says that something is not there"
}

# Each kind of file in the open; the same without the right to read it; the same in a folder that may not be searched.
mkdir open shut read
printf 'base = "rx540";\n' > open/m.cfg
printf 'generator = "stream"; ctas = 4; warps_per_cta = 1; iterations = 1;\n' > open/g.cfg
sweep() { # FILE MACHINE PROGRAM OUTPUT [MORE]
    printf 'machine = "%s"; workloads = ("%s"); axes = ({ path = "l1.kb"; values = [8, 16]; }); engine = "estimate"; output = "%s"; %s\n' \
        "$2" "$3" "$4" "${5:-}" > "$1"
}
sweep open/s.cfg rx540 "$work/open/g.cfg" "$work/open/o.db"
"$plumb" trace generate open/g.cfg -o open/g.plt > out 2>&1 || fail 'generate'
"$plumb" sweep run open/s.cfg -q || fail 'sweep run'
printf 'gpu,experiment,x,value\n' > open/a.csv
cp open/a.csv open/c.cal
mkdir open/d && echo kernel-1.traceg > open/d/kernelslist.g && echo x > open/d/kernel-1.traceg
cp -r open/* shut/ && cp -r open/* read/ && chmod 000 read/*.* read/d shut

for there in read shut; do
    for command in 'machine check' 'machine show'; do denied m.cfg $command $there/m.cfg; done
    denied m.cfg estimate $there/m.cfg open/g.cfg
    denied m.cfg compare rx540 open/g.cfg --with $there/m.cfg
    for program in g.cfg g.plt d; do denied $there/$program estimate titanv $there/$program; done
    denied g.plt trace info $there/g.plt
    denied d trace import $there/d -o out.plt
    for command in run status check; do denied s.cfg sweep $command $there/s.cfg; done
    for command in run status export; do denied o.db sweep $command open/s.cfg --db $there/o.db; done
    denied o.db sweep merge open/s.cfg $there/o.db
    denied o.db report $there/o.db -o r.html
    denied a.csv sweep import open/s.cfg $there/a.csv --program g
    denied a.csv machine probe rx540 --against $there/a.csv
    denied a.csv energy show cache --table $there/a.csv --bytes 1024
    denied c.cal estimate rx540 open/g.cfg --cal $there/c.cal
    denied m.cfg machine import $there/m.cfg
    # files that files name
    printf 'base = "%s/m.cfg";\n' $there > base.cfg
    denied m.cfg machine check base.cfg
    printf '@include "%s/m.cfg"\n' $there > include.cfg
    denied m.cfg machine check include.cfg
    sweep sweep.cfg $there/m.cfg open/g.cfg o.db
    denied m.cfg sweep run sweep.cfg
    sweep sweep.cfg rx540 $there/g.cfg o.db
    denied g.cfg sweep run sweep.cfg
    sweep sweep.cfg rx540 open/g.cfg o.db "calibration = \"$there/c.cal\";"
    denied c.cal sweep run sweep.cfg
    sweep sweep.cfg rx540 open/g.cfg $there/o.db
    denied o.db sweep run sweep.cfg
done
chmod 000 open/d/kernel-1.traceg
denied kernel-1.traceg trace info open/d
chmod 000 open/d/kernelslist.g
denied kernelslist.g trace info open/d

# Results into a folder that may not be written to.
mkdir kept shutwork && chmod 555 kept && chmod 000 shutwork
denied kept/m.cfg machine show rx540 -o kept/m.cfg
denied kept/g.plt trace generate open/g.cfg -o kept/g.plt
denied kept/o.db sweep run open/s.cfg --db kept/o.db
denied kept/j.sh sweep submit open/s.cfg --workers 2 -o kept/j.sh
denied kept/w sweep work open/s.cfg --dir kept/w
denied shutwork sweep work open/s.cfg --dir shutwork
denied shutwork sweep merge open/s.cfg --dir shutwork
denied kept/r.html report open/o.db -o kept/r.html
denied kept/s.csv simulate rx540 open/g.cfg --every 100 --series kept/s.csv
denied kept/c.cal calibrate rx540 open/g.cfg -o kept/c.cal

# A preset, a program and a suite of one's own.
mkdir -p etc/gpus etc/workloads/suites
cp open/m.cfg etc/gpus/p.cfg && cp open/g.cfg etc/workloads/gg.cfg && cp open/m.cfg etc/workloads/suites/u.cfg
chmod 000 etc/gpus/p.cfg etc/workloads/gg.cfg etc/workloads/suites/u.cfg
export PLUMB_CONFIG_PATH=$work/etc
denied gpus/p.cfg machine show p
denied workloads/gg.cfg program show gg
denied suites/u.cfg trace suite u

[ $failed -eq 0 ] && echo 'permission denied is called so'
exit $((failed > 0))
