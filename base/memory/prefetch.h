/* prefetch.h - a hint to the host's caches: the line of this address is used soon.
 *
 * The empty statement for the assembler keeps the hint: gcc takes a function that does nothing but
 * prefetch for one without effect, and drops the calls of it. */
#ifndef PLUMB_BASE_MEMORY_PREFETCH_H
#define PLUMB_BASE_MEMORY_PREFETCH_H

static inline void prefetch_line(const void *address)
{
    __builtin_prefetch(address);
    __asm__ volatile("");
}

#endif
