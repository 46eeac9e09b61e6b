/* kernel_fit.h - learns the kernel of estimates' errors (posterior.h) from runs of many programs.
 *
 * The kernel maximises the likelihood of all runs, each program's errors of its cycles being one
 * draw of a multivariate Student's distribution, times log-normal priors on offset, amplitudes and
 * lengths (empirical Bayes).  Noise and tail are constants: programs that arithmetic binds have
 * equal errors on all machines, so that a fit would end without noise or variance.  Programs are
 * independent, so that the cost is that of their covariance matrices. */
#pragma once

#include "calibration/posterior.h"

/* prior: the middle of the priors: error_kernel_usual, or what was learned from other programs.
 * steps: at most so many of BFGS.  run[n]: in any order.  false: no memory, or an interrupt. */
bool kernel_fit(struct error_kernel *out, const struct error_kernel *prior, int steps,
                const struct known_run *const *run, uint32_t n, struct error *e);
