/* What a probe costs: a function that does nothing, called often. Prints ns of processor time per
 * call. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static __attribute__((noinline)) long work(long number)
{
    __asm__ volatile("" : "+r"(number));
    return number;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    long calls = argc > 1 ? atol(argv[1]) : 2000000, sum = 0;
    double start = now();
    for (long i = 0; i < calls; i++)
        sum += work(i & 7);
    printf("%.2f\n", (now() - start) / (double)calls + (sum < 0));
    return 0;
}
