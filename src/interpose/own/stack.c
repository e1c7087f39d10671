/* Stacks of what is preloaded. The program's may be that of a coroutine or of a signal handler,
 * with no room for more than a call: what takes more, and comes rarely, is done elsewhere. */
#include "interpose/own/stack.h"

#include "interpose/own/own_memory.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/held_signals.h"

enum {
    BYTES = 16 << 10,
    STACKS = 8, /* at a time, without a mapping for each */
};

static _Alignas(64) char stacks[STACKS][BYTES];
static uint32_t taken[STACKS];

void fth_stack_switch(void (*work)(void *), void *argument, char *top);

char *fth_stack_take(void)
{
    for (unsigned i = 0; i < STACKS; i++)
        if (!__atomic_exchange_n(&taken[i], 1, __ATOMIC_ACQUIRE))
            return stacks[i] + BYTES;
    char *mapped = fth_map_memory(BYTES);
    return mapped ? mapped + BYTES : NULL;
}

static bool is_ours(uintptr_t place)
{
    return place - (uintptr_t)stacks < sizeof stacks;
}

void fth_stack_give(char *top)
{
    uintptr_t start = (uintptr_t)top - BYTES;
    if (is_ours(start))
        __atomic_store_n(&taken[(start - (uintptr_t)stacks) / BYTES], 0, __ATOMIC_RELEASE);
    else
        fth_unmap((char *)start, BYTES);
}

/* A handler of the program would run where we are, and may want more than there is, or jump away:
 * signals wait. Behind a filter of system calls nothing is asked of the system. */
void fth_on_own_stack(void (*work)(void *), void *argument)
{
    if (fth_aside || fth_is_filtered || fth_finds_filter()) {
        work(argument);
        return;
    }
    uint64_t signals = fth_signals_wait();
    char *top = is_ours((uintptr_t)__builtin_frame_address(0)) ? NULL : fth_stack_take();
    if (top) {
        fth_stack_switch(work, argument, top);
        fth_stack_give(top);
    } else {
        work(argument);
    }
    fth_signals_go(signals);
}
