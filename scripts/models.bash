# Sourced by scripts that make a page of docs/results (tests/cli/results.sh).

# models_of PLUMB NAME...: the versions of these models, as "EST 15, SIM 6"
models_of() {
    local plumb=$1 name all
    shift
    all=$("$plumb" --version | sed -n 's/^models: //p')
    for name in "$@"; do grep -o "\b$name [0-9]*" <<< "$all"; done | paste -sd , | sed 's/,/, /g'
}

# with_models MODELS: a page from stdin to stdout, with the line "Models: MODELS." below its title
with_models() {
    awk -v models="$1" '{ print } NR == 1 { print "\nModels: " models "." }'
}
