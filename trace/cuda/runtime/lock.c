/* lock.c - see lock.h. */
#include "trace/cuda/runtime/lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void runtime_lock(void)
{
    pthread_mutex_lock(&lock);
}

void runtime_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
