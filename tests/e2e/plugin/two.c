/* A second library with a plug-in. */
#include "two.h"

int two_make(const char *name, two_id *made)
{
    *made = 7;
    return *name ? 0 : 22;
}

int two_length(two_id id, int *length)
{
    *length = id == 7 ? 3 : 0;
    return 0;
}

int two_put(two_id id, const int *numbers, struct two_point at)
{
    return id == 7 && numbers[2] == 3 && at.y == 2 ? 0 : 1;
}

struct two_point two_where(two_id id, int call, int real)
{
    return (struct two_point){id + call, real};
}

int two_free(two_id *id)
{
    *id = 0;
    return 0;
}
