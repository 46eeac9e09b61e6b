/* unroll.h - unrolls the loops of kernels, as GPU compilers do.
 *
 * Oclgrind 21.10 compiles with -Oz, which duplicates no code. Behind it follow passes of LLVM's
 * that turn loops so that they end in their condition, and unroll them; where the number of rounds
 * is only known at run time, a loop for those that remain follows. */
#pragma once

#include <llvm-c/Core.h>

/* Unrolls all loops of the function's module PLUMB_TRACE_UNROLL times (environment; unset: not),
 * once in the life of a module. For preload.c, which finds it by its name, before Oclgrind numbers
 * the values of the first of its kernels. */
__attribute__((visibility("default"))) void plumb_unroll(LLVMValueRef function);
