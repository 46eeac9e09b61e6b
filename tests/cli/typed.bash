# Sourced by tests that type the commands of a page (readme.sh, guide.sh).  A fenced block holds commands behind "$ " with
# what they print below, or, without any "$ ", a command in each line that begins with a program of ours.  Each command
# must end well, and what it prints must hold the lines that stand below it, in their order and, but for what `even`
# names, to the last digit ("..." stands for any lines).  The test that sources this defines
#   reason COMMAND     prints why a command is not typed; nothing: it is
#   shorter COMMAND    prints the command as it is typed, where something of it is cut
# With TYPED_RENEW=1 a page gets the figures that its commands print today, in lines whose words are the same.
# and has check.bash, $work and a current directory in which the commands make sense.
typed=0 compared=0

records() { # PAGE: "COMMAND\x1fLINES\x1e"
    awk '
        function put() { if (command != "") printf "%s\x1f%s\x1e", command, lines; command = lines = "" }
        /^```/ { put(); inside = !inside; prompts = 0; document = 0; next }
        !inside { next }
        document { command = command "\n" $0; if ($0 == "END") document = 0; next }
        /^\$ / { put(); prompts = 1; command = substr($0, 3); document = command ~ /<< END$/; next }
        prompts { lines = lines $0 "\n"; next }
        /^(\.\/|scripts\/|plumb |cmake )/ { put(); command = $0 }
        END { put() }' "$1"
}

even() { # times of this machine and the memory of this build are no figures
    sed -E 's/^(host +)[0-9.]+ s$/\1TIME/; s/(a simulation needs) [0-9.]+ MB/\1 SOME MB/; s/ +$//'
}

# follows LINES FILE: the lines stand in the file one after the other, but where "..." leaves some out
follows() {
    awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
        function dots(s) { return s ~ /^ *\.\.\.$/ }
        END {
            at = 1; free = 1 # before the first line a program may say what it did to get there
            for (i = 1; i <= n; i++) {
                if (dots(want[i])) { free = 1; continue }
                if (free) while (at <= m && have[at] != want[i]) at++
                if (at > m || have[at] != want[i]) { print want[i]; exit 1 }
                at++; free = 0
            }
        }' "$1" "$2"
}

renew() { # PAGE LINES: the lines' figures become those of $work/out
    local text new
    text=$(< "$1")
    new=$(awk '
        function bones(s) { gsub(/[0-9][0-9,.]*/, "#", s); gsub(/ +/, " ", s); return s }
        NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
        END {
            at = 1
            for (i = 1; i <= n; i++) {
                for (k = at; k <= m && bones(have[k]) != bones(want[i]); k++);
                if (k <= m) at = k + 1
                print k <= m ? have[k] : want[i]
            }
        }' <(printf '%s' "$2") "$work/out")
    printf '%s\n' "${text/"${2%$'\n'}"/"$new"}" > "$1"
}

type_command() { # COMMAND LINES PAGE
    local first=${1%%$'\n'*} got start missing
    start=$(date +%s%N)
    timeout 120 bash -c "$(shorter "$1")" > "$work/out" 2> "$work/err" < /dev/null
    got=$?
    [ -z "${TYPED_TIMES:-}" ] || echo "$((($(date +%s%N) - start) / 1000000)) ms: $first"
    typed=$((typed + 1))
    [ "$got" -eq 0 ] || { fail "$first: exit status $got"; head -3 "$work/err"; return; }
    [ -n "$2" ] || return
    compared=$((compared + 1))
    even <<< "${2%$'\n'}" > "$work/wanted"
    even < "$work/out" > "$work/had"
    missing=$(follows "$work/wanted" "$work/had") && return
    [ -z "${TYPED_RENEW:-}" ] || renew "$3" "$2"
    fail "$first: prints something else than: $missing"
    head -40 "$work/had"
}

type_page() { # PAGE
    local command lines why
    while IFS=$'\x1f' read -r -d $'\x1e' command lines; do
        why=$(reason "$command")
        if [ -n "$why" ]; then
            echo "left out: ${command%%$'\n'*}: $why"
        else
            type_command "$command" "$lines" "$1"
        fi
    done < <(records "$1")
}
