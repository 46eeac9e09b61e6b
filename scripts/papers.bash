# shellcheck shell=bash
# Where the files of the papers' studies lie (papers/README.md), to be sourced in the repository's folder.

study_files() { # every study's SQL, in the order of the names
    compgen -G 'papers/*/studies/*.sql' | awk -F/ '{ print $NF "\t" $0 }' | sort | cut -f2
}

study_file() { # FILE
    compgen -G "papers/*/studies/$1" || echo "papers/PAPER/studies/$1"
}

sweep_file() { # NAME
    compgen -G "papers/*/sweeps/$1.cfg" || echo "configs/sweeps/$1.cfg"
}

# The folder of the figures that a study or one of its scripts makes.
figures_folder() { # PATH
    echo "${1%/studies/*}/results"
}

figures_file() { # NAME
    compgen -G "papers/*/results/$1.csv" || echo "papers/PAPER/results/$1.csv"
}
