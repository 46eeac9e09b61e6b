#!/bin/bash
# Mao's figure 37 as behaviour.detailed_thread_batches sees it.
exec scripts/studies/printed.sh behaviour_detailed_thread_batches TBAS-EX-
