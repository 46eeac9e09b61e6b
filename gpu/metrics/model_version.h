/* model_version.h - the version of the cycle model, part of every stored result's key. It changes
 * whenever the cycle model's numbers may change; cached states of the functional pass depend on it
 * as well. */
#pragma once

enum { SIM_MODEL_VERSION = 8 };
