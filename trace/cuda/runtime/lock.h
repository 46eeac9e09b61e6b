/* lock.h - host threads take turns: launches, the table of memory and the recording are the
 * process's. */
#pragma once

/* A thread may lock again what it has locked. */
void runtime_lock(void);
void runtime_unlock(void);
