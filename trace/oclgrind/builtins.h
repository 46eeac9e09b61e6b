/* builtins.h - what a call of an OpenCL built-in function or an LLVM intrinsic costs on a GPU. */
#pragma once

#include <stddef.h>

enum builtin {
    BUILTIN_COMPUTE, /* one instruction per element, of the class of its result */
    BUILTIN_SFU,     /* one on the special function unit */
    BUILTIN_FREE,
    BUILTIN_MEMORY, /* only its memory accesses */
    BUILTIN_BARRIER,
    BUILTIN_FENCE, /* a fence; its argument says whether of local memory only */
    BUILTIN_ACQUIRE,
    BUILTIN_RELEASE,
    BUILTIN_REFUSED /* a work-group copy, which no single lane performs */
};

enum builtin builtin_find(const char *name);
