# Sourced by scripts that install and build: runs a command whose output nobody reads and shows how far it is, so that
# nothing is silent for minutes.
#   watched LABEL COMMAND...     the command's output goes to a file, which is printed if the command fails
# On a terminal one line is redrawn every second, with the last line of the output (the count of ninja, the percent of
# apt) and the seconds so far; elsewhere a line says every ten seconds the same.

steps_last() { # FILE: what its last line says; of apt-get's status lines, the percent and the text
    tail -c 2000 "$1" | tr '\r' '\n' | grep . | tail -1 |
        sed -E 's/^(dl|pm)status:[^:]*:([0-9]+)[^:]*:/\2 % /' | tr -cd '\40-\176'
}

steps_show() { # LABEL FILE PARENT: until it is killed, or the parent is gone
    local start=$SECONDS width text pause=10
    [ -t 2 ] && pause=1
    while sleep "$pause" < /dev/null > /dev/null 2>&1 && kill -0 "$3" 2> /dev/null; do
        text="$1, $((SECONDS - start)) s: $(steps_last "$2")"
        if [ "$pause" = 1 ]; then
            width=$(stty size <&2 2> /dev/null) && width=${width#* } || width=80
            [ "$width" -gt 9 ] || width=80
            printf '\r%s\033[K' "${text:0:width - 1}" >&2
        else
            printf '%s\n' "${text:0:79}" >&2
        fi
    done
}

watched() { # LABEL COMMAND...
    local label=$1 log status=0 start=$SECONDS shower
    shift
    log=$(mktemp)
    steps_show "$label" "$log" $$ &
    shower=$!
    "$@" > "$log" 2>&1 || status=$?
    kill "$shower" 2> /dev/null
    wait "$shower" 2> /dev/null || true
    [ ! -t 2 ] || printf '\r\033[K' >&2
    [ "$status" -eq 0 ] || cat "$log" >&2
    [ "$status" -ne 0 ] || echo "$label: $((SECONDS - start)) s" >&2
    rm -f "$log"
    return "$status"
}
