#!/bin/bash
# suite.sh with the quick suite through all engines.
ENGINES='estimate sample simulate' exec bash "$(dirname "${BASH_SOURCE[0]}")/suite.sh"
