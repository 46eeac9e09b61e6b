#!/bin/bash
# Everything that can be checked on one machine, less than 85 minutes: formatting, sanitized builds and tests
# with gcc, strict clang and release builds, the long tests, a minute of fuzzing for each target.
# Goes on after a failure and says at the end what failed.
#   scripts/check-all.sh
set -u
cd "$(dirname "$0")/.." || exit 1

failed=()
step() { # NAME COMMAND...
    local name=$1 start=$SECONDS
    shift
    echo "== $name"
    "$@" || failed+=("$name")
    echo "== $name: $((SECONDS - start)) s"
}

build() { # PRESET: its log only when it fails
    local log
    log=$(mktemp)
    cmake --preset "$1" "${@:2}" > "$log" 2>&1 && cmake --build --preset "$1" >> "$log" 2>&1
    local status=$?
    [ $status -eq 0 ] || tail -n 60 "$log"
    rm -f "$log"
    return $status
}

slurm() { # left out where there is none
    scripts/slurm-test.sh build/release/plumb
    local status=$?
    [ $status -eq 0 ] || [ $status -eq 77 ]
}

spelling() { # left out where aspell is not installed
    scripts/spelling.sh
    local status=$?
    [ $status -eq 0 ] || [ $status -eq 77 ]
}

formatting() {
    git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format --dry-run -Werror
}

tidy() { # findings are printed; only errors fail
    git ls-files '*.c' | grep -Ev '^(tests|bench)/' |
        xargs -P "$(nproc)" -n 8 clang-tidy -p build/dev-clang --quiet 2> /dev/null
}

fuzz() {
    local program status=0
    for program in build/fuzz/fuzz_*; do
        [ -x "$program" ] || continue
        local corpus=tests/fuzz/corpus/${program##*/fuzz_} work
        work=$(mktemp -d)
        [ -d "$corpus" ] && cp -r "$corpus/." "$work"
        "$program" -max_total_time=60 -rss_limit_mb=2048 -artifact_prefix=build/fuzz/ "$work" \
            > "$work.log" 2>&1 || { tail -n 40 "$work.log"; status=1; }
        rm -r "$work" "$work.log"
    done
    return $status
}

step "dependencies" scripts/deps.sh --check
step "formatting" formatting
step "spelling" spelling
step "asan build" build asan
step "asan tests" ctest --test-dir build/asan -LE long -j2 --output-on-failure
step "clang build" build dev-clang
step "clang tests" ctest --test-dir build/dev-clang -LE long -j2 --output-on-failure
step "clang-tidy" tidy
step "release build" build release -DPLUMB_WERROR=ON -DPLUMB_TESTS=ON -DPLUMB_BENCH=ON
step "release tests, the long ones too" ctest --test-dir build/release -j2 --output-on-failure
step "workers under Slurm" slurm
if compgen -G 'tests/fuzz/*.c' > /dev/null; then
    step "fuzz build" build fuzz
    step "fuzz" fuzz
fi

if [ ${#failed[@]} -gt 0 ]; then
    printf 'FAILED: %s\n' "${failed[@]}"
    exit 1
fi
echo "all checks passed in $((SECONDS / 60)) minutes"
