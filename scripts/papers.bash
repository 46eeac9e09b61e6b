# shellcheck shell=bash
# Where the studies' files lie, to be sourced in the repository's folder: those of a paper in papers/PAPER, those of no single
# paper in scripts/studies and docs/results/studies.
shopt -s nullglob

study_files() { # every study's SQL, in the order of the names
    printf '%s\n' scripts/studies/*.sql papers/*/studies/*.sql | awk -F/ '{ print $NF "\t" $0 }' | sort | cut -f2
}

# FILE lies in scripts/studies or in a paper's folder `studies`.
study_file() { # FILE
    compgen -G "papers/*/studies/$1" || echo "scripts/studies/$1"
}

sweep_file() { # NAME
    compgen -G "papers/*/sweeps/$1.cfg" || echo "configs/sweeps/$1.cfg"
}

# The folder of the figures that a study or one of its scripts makes.
figures_folder() { # PATH
    case $1 in
    papers/*) echo "${1%/studies/*}/results" ;;
    *) echo docs/results/studies ;;
    esac
}

figures_file() { # NAME
    compgen -G "papers/*/results/$1.csv" || echo "docs/results/studies/$1.csv"
}
