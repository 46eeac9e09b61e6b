# shellcheck shell=bash
# Sourced by scripts that compute from the studies' figures with sqlite3.

# One table per CSV file: '-' in its name becomes '_', numbers are numbers, what is empty is NULL.
import_csv() { # FILE
    local table columns name
    table=$(basename "$1" .csv)
    table=${table//-/_}
    columns=$(head -n 1 "$1")
    echo "CREATE TABLE $table (\"${columns//,/\" REAL, \"}\" REAL);"
    echo ".import --csv --skip 1 '$1' $table"
    for name in ${columns//,/ }; do
        echo "UPDATE $table SET \"$name\" = NULL WHERE \"$name\" = '';"
    done
}
