/* schedule.h - puts loads first in LLVM code, as the schedulers of GPU compilers do.
 *
 * Within a block, from one barrier, fence or call of a function of the program to the next, loads
 * and the arithmetic that their addresses need go before everything else: first loads that need no
 * other of these loads, then those that need one, and so on. All else keeps its order. No load
 * passes a store or an atomic in its own address space, since a compiler does not know whether they
 * meet there; behind the last of these that it may not pass the same is done once more. None leaves
 * its block, so that the lanes that execute it stay the same. Loads that stand first together bring
 * at most 64 registers of 32 bits. */
#pragma once

#include "trace/lower/shape.h"

/* What a source language says of order. Functions may be NULL. */
struct schedule_rules {
    const struct lower_dialect *dialect;
    bool (*loads)(LLVMValueRef call); /* it is a load */
    bool (*writes)(
        LLVMValueRef call); /* it writes where its pointers point, and orders nothing else */
    bool (*wall)(LLVMValueRef call); /* nothing passes it */
    bool generic;                    /* pointers of address space 0 may point into all others */
};

/* Schedules the function and all that its module defines. A second time changes nothing.
 * Precondition: no work-item is executing it. false: no memory, *e says so. */
bool schedule_loads_first(LLVMValueRef function, const struct schedule_rules *rules,
                          struct error *e);
