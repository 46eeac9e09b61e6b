# Sourced by tests that show pages in a real browser; those set $work first and source check.bash.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no chromium"; exit 77; }
command -v openssl > /dev/null || { echo "openssl is missing"; exit 77; }

chromium() { # ARGUMENTS...
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-quic \
        --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$work/profile" \
        --enable-logging=stderr "$@" 2> "$work/log"
}

# The page's policy admits the page's own scripts alone, and those of this test beside them.
source_of() { # FILE: the script, as a policy names it
    printf "'sha256-%s'" "$(openssl dgst -sha256 -binary "$1" | base64 -w 0)"
}

# As a user uses it: the driver comes behind the page, a recorder of errors before it; time is virtual.
drive() { # PAGE DRIVER WIDTH [SCRIPT [FRAGMENT [ADDRESS]]]: $work/dom; its checks are counted, what fails is told
    printf '%s' 'window.reportErrors = [];' 'addEventListener("error", (e) => reportErrors.push(e.message));' \
        'addEventListener("securitypolicyviolation", (e) => reportErrors.push(`${e.violatedDirective} ${e.sourceFile}:${e.lineNumber}`));' \
        'for (const k of ["error", "warn"]) console[k] = (...a) => reportErrors.push(a.join(" ") + new Error().stack);' > "$work/before.js"
    cat ${4:+"$4"} tests/data/report/hands.js "tests/data/report/$2" > "$work/behind.js"
    {
        sed "0,/script-src/s|script-src|& $(source_of "$work/before.js") $(source_of "$work/behind.js")|" "$1" |
            awk -v before="$work/before.js" '/<meta name="viewport"/ && !done { done = 1; printf "<script>"
                while ((getline line < before) > 0) printf "%s", line
                print "</script>" }
                { print }' | sed '/^<\/body>$/,$d'
        printf '<script>'
        cat "$work/behind.js"
        printf '</script>\n</body>\n</html>\n'
    } > "$work/driven.html"
    chromium --window-size="$3,1000" --virtual-time-budget=300000 --dump-dom "${6:-file://$work/driven.html}${5:+#$5}" > "$work/dom"
    sed -n '/id="outcome"/,/^END/p' "$work/dom" | grep -E '^(PASS|FAIL)' > "$work/outcome"
    grep -q '^END' "$work/dom" || fail "$2 did not come to its end"
    echo "$2, $3 wide${5:+, $5}: $(grep -c '^PASS' "$work/outcome") checks passed"
    grep '^FAIL' "$work/outcome" && failed=$((failed + 1))
}
