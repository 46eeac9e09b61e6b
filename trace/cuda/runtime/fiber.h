/* fiber.h - threads of execution with stacks of their own, which switch to one another by hand. */
#pragma once

/* Saves the running fiber's registers on its stack and its stack pointer in *from, and goes on with
 * the fiber whose stack pointer is `to`. */
void fiber_switch(void **from, void *to);
/* The stack pointer of a new fiber on the stack that ends at `top`, aligned to 16 bytes; `run` must
 * not return. */
void *fiber_new(void *top, void (*run)(void));
