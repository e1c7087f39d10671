/* A library whose rows claim that it reads what it does not. */
#include "doubtful.h"

void doubt_text(const char *text)
{
    (void)text;
}

void doubt_path(const char *path)
{
    (void)path;
}

void doubt_list(int count, const int *list)
{
    (void)count;
    (void)list;
}

int doubt_code(int count, const int *list)
{
    (void)list;
    return count > 1000;
}

void doubt_out(int *out)
{
    (void)out;
}
