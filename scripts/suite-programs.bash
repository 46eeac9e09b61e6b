# For studies that read the captures of a suite and simulate nothing: to be sourced from the repository's folder.
plumb=${PLUMB:-build/release/plumb}
version=$(grep -ho 'SIM_MODEL_VERSION = [0-9]*' gpu/metrics/model_version.h | grep -o '[0-9]*$')

suite_programs() { # SUITE: a line "NAME PATH" for each program; status 1 if one is not captured
    local suite missing
    suite=$("$plumb" trace suite "$1" --json)
    missing=$(jq -r '[.programs[] | select(.state == "missing") | .program] | join(" ")' <<< "$suite")
    if [ -n "$missing" ]; then
        echo "suite $1: not captured: $missing; run plumb trace suite $1" >&2
        return 1
    fi
    jq -r '.programs[] | "\(.program) \(.path)"' <<< "$suite"
}
