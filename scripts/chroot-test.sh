#!/bin/bash
# Does plumb build and pass on a fresh machine?  Makes a minimal Debian 12 in a temporary folder, puts a clean
# copy of the last commit into it and runs the commands there (default: scripts/test.sh, scripts/demo.sh).
#   scripts/chroot-test.sh [COMMAND...]       each COMMAND is one shell command; needs root and mmdebstrap
# WITH names a folder of the tree that is copied beside it, though git does not have it (packages that were built).
# The mirror, proxies, certificates and credentials are this machine's own (/etc/apt).
# TMPDIR chooses where the system goes (about 2 GB).
set -eu
cd "$(dirname "$0")/.."

if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap > /dev/null; then
    echo "chroot-test.sh: needs root and mmdebstrap (apt-get install mmdebstrap)" >&2
    exit 2
fi
[ $# -gt 0 ] || set -- scripts/test.sh scripts/demo.sh

work=$(mktemp -d)
system=$work/system
cleanup() {
    local place
    for place in dev proc; do
        mountpoint -q "$system/$place" && umount -R "$system/$place"
    done
    # Never remove through a mount that would not go.
    mountpoint -q "$system/dev" || mountpoint -q "$system/proc" || rm -rf --one-file-system "$work"
}
trap cleanup EXIT

say_time() { # NAME START
    printf 'chroot-test: %s: %d s\n' "$1" $((SECONDS - $2))
}

# The Debian entries of this machine's sources; other repositories are not needed.
mirrors() {
    local file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$file" ] && grep -hE '^deb .*bookworm' "$file"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] && deb822_to_lines "$file"
    done
    true
}

deb822_to_lines() { # FILE: its bookworm stanzas as one-line entries
    awk -v RS= -v FS='\n' '{
        delete field; enabled = 1
        for (i = 1; i <= NF; i++) {
            if ($i ~ /^#/) continue
            name = $i; sub(/:.*/, "", name); value = $i; sub(/^[^:]*: */, "", value)
            field[tolower(name)] = value
        }
        if (field["enabled"] == "no" || field["types"] !~ /(^| )deb( |$)/) next
        n = split(field["suites"], suite, " "); m = split(field["uris"], uri, " ")
        for (s = 1; s <= n; s++)
            for (u = 1; u <= m; u++)
                if (suite[s] ~ /^bookworm/)
                    print "deb " uri[u] " " suite[s] " " field["components"]
    }' "$1"
}

mirrors > "$work/sources.list"
if [ ! -s "$work/sources.list" ]; then
    echo "chroot-test.sh: no bookworm entry in this machine's apt sources" >&2
    exit 1
fi
# How this machine reaches its mirror: proxies, certificates, date checks.
apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|Force)' > "$work/apt.conf" || true

copy_in() { # PATH...: to the same places in the new system
    local path
    for path in "$@"; do
        [ -e "$path" ] && mkdir -p "$system$(dirname "$path")" && cp -aL "$path" "$system$path"
    done
    true
}

start=$SECONDS
mmdebstrap --mode=root --variant=minbase --include=ca-certificates --aptopt="$work/apt.conf" \
    --quiet bookworm "$system" - < "$work/sources.list" > "$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
say_time "minimal system" "$start"

cp "$work/sources.list" "$system/etc/apt/sources.list"
cp "$work/apt.conf" "$system/etc/apt/apt.conf.d/90machine"
copy_in /etc/resolv.conf /etc/hosts /etc/apt/auth.conf /etc/apt/auth.conf.d \
    /usr/local/share/ca-certificates /etc/ssl/certs/ca-certificates.crt
# Files that the configuration names (certificate bundles, keys).
grep -oE '"/[^"]+"' "$work/apt.conf" | tr -d '"' | while read -r path; do copy_in "$path"; done

mkdir -p "$system/plumb"
git archive HEAD | tar -x -C "$system/plumb"
[ -z "${WITH:-}" ] || cp -a --parents "$WITH" "$system/plumb"
mount --rbind /dev "$system/dev"
mount --make-rslave "$system/dev"
mount -t proc proc "$system/proc"

status=0
for command in "$@"; do
    start=$SECONDS
    chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        bash -c "cd /plumb && $command" || status=$?
    say_time "$command" "$start"
    [ "$status" -eq 0 ] || { echo "chroot-test: failed: $command" >&2; break; }
done
exit "$status"
