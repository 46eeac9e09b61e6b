/* prefetch.h - prefetches the line of an address into the host's caches. The empty assembler
 * statement is necessary: gcc considers a function that only prefetches to have no effect, and
 * drops the calls. */
#pragma once

static inline void prefetch_line(const void *address)
{
    __builtin_prefetch(address);
    __asm__ volatile("");
}
