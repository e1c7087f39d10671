/* A library with calls that make calls of another one. */
#include "batch.h"

int batch_run(int number, int steps)
{
    int sum = 0;
    for (int i = 0; i < steps; i++)
        sum += batch_step(number, i);
    return sum;
}
