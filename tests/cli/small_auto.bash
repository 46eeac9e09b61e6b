# Sourced: the page of a small sweep by engine auto, $work/auto.html; and two programs, a.cfg and b.cfg.
cat > "$work/b.cfg" << 'END'
generator = "gather";
ctas = 16;
warps_per_cta = 4;
iterations = 4;
footprint = "512KB";
END
printf 'generator = "stream";\nctas = 2;\nwarps_per_cta = 1;\niterations = 1;\n' > "$work/a.cfg"
cat > "$work/auto.cfg" << 'END'
machine    = "rx540";
workloads  = ( "b.cfg", "a.cfg" );
axes       = ( { path = "l1.kb"; values = [8, 16, 32]; }, { path = "l2.bank_kb"; values = [16, 32, 64]; } );
engine     = "auto";
budget     = { error = 0.01; points = 5; };
objectives = ( { metric = "cycles"; goal = "min"; }, { parameter = "l2.bank_kb"; goal = "min"; } );
output     = "auto.db";
END
"$plumb" sweep run "$work/auto.cfg" --db "$work/auto.db" -q || exit 1
"$plumb" report "$work/auto.db" -o "$work/auto.html" -q || exit 1
