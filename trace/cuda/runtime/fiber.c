/* fiber.c - see fiber.h. Only x86-64 with the System V calling convention. A switch ends with a
 * jump, since the processor would predict that a return goes back to where the switch was called.
 */
#include "trace/cuda/runtime/fiber.h"

#include <stdint.h>

__asm__(".text\n"
        ".globl fiber_switch\n"
        ".hidden fiber_switch\n"
        ".type fiber_switch,@function\n"
        "fiber_switch:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    pop %rcx\n"
        "    jmp *%rcx\n"
        ".size fiber_switch,.-fiber_switch\n");

void *fiber_new(void *top, void (*run)(void))
{
    enum { SAVED = 6 };
    uint64_t *sp = top;
    *--sp = 0; /* where `run` would return to, and what aligns its frame */
    *--sp = (uint64_t)(uintptr_t)run;
    for (int i = 0; i < SAVED; i++)
        *--sp = 0;
    return sp;
}
