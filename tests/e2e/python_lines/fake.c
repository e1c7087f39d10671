/* A program that says of itself to be a Python whose structures are other ones. */
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

uint64_t PyCode_Type[64], PyUnicode_Type[64], PyBytes_Type[64];
static uint64_t thread[64];

const char *Py_GetVersion(void)
{
    return VERSION " (main)";
}

void *PyGILState_GetThisThreadState(void)
{
    return thread;
}

void *_PyThreadState_UncheckedGet(void)
{
    return NULL;
}

int _Py_IsFinalizing(void)
{
    return 0;
}

int PyCode_Addr2Line(void *code, int at)
{
    (void)code;
    return at;
}

int main(void)
{
    PyCode_Type[4] = 184; /* as of 3.11 */
    mkdir("nothing_runs", 0700);
    for (int i = 0; i < 64; i++)
        thread[i] = (uint64_t)&thread[(i * 7 + 3) % 64];
    mkdir("other_frames", 0700);
    for (int i = 0; i < 64; i++)
        thread[i] = 0xdead000 + (uint64_t)i;
    mkdir("wild_frames", 0700);
    return 0;
}
