/* The processor's counter of ticks, and whether it can serve as a clock. */
#ifndef FTH_BASE_TICKS_H
#define FTH_BASE_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined __x86_64__
#include <cpuid.h>
#endif

static inline uint64_t fth_ticks_read(void)
{
#if defined __x86_64__
    return __builtin_ia32_rdtsc(); /* x86intrin.h takes longer to read than most files here */
#elif defined __aarch64__
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

/* Does the processor say that the counter runs at one rate, also when it saves power? */
static inline bool fth_ticks_are_invariant(void)
{
#if defined __x86_64__
    enum { POWER_MANAGEMENT = 0x80000007, INVARIANT = 1 << 8 };
    unsigned a, b, c, d;
    return __get_cpuid((unsigned)POWER_MANAGEMENT, &a, &b, &c, &d) && (d & INVARIANT);
#elif defined __aarch64__
    return true;
#else
    return false;
#endif
}

/* The kernel watches whether the counters of all processors agree, and takes another source for its
 * clock when they do not. */
#define FTH_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* `source`: what stands in that file, with its newline; "" when it cannot be read. */
static inline bool fth_ticks_are_a_clock(const char *source)
{
    static const char *const others[] = {"hpet\n", "acpi_pm\n", "jiffies\n", "refined-jiffies\n",
                                         "pit\n"};
    if (strcmp(source, "tsc\n") == 0)
        return true;
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(source, others[i]) == 0)
            return false;
    return fth_ticks_are_invariant();
}

#endif
