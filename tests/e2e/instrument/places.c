/* Places for probes: what each function returns shows that nothing has changed. */
#include <stdio.h>
#include <stdlib.h>

#define GIVE(value) return value
#define TWICE(function, value) (function(value) + function(value))

static int add(int value)
{
    if (value > 100)
        GIVE(100);
    if (value < 0)
        return 0;
    GIVE(value + 1);
}

static int turns(int count)
{
    int sum = 0, i;
    for (i = 0; i < count; i++) {
        if (i == 3)
            continue;
        sum += add(i);
    }
    while (count > 0)
        count -= 2;
    return sum;
}

static int jumps(int value)
{
    int result = -1;
    if (value < 0)
        goto out;
    result = add(value);
out:
    return result;
}

static int alone(int value)
{
    if (value)
        value = add(value);
    else
        value = add(-1);
    return value;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 5;
    int sum = turns(count), twice = TWICE(add, count);
    printf("%d %d %d %d line %d %s\n", sum, twice, jumps(-1) + jumps(2), alone(0) + alone(7), __LINE__, __FILE__);
    return 0;
}
