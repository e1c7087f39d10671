/* Writes before main and after it; the same source is the program and (LIBRARY) a library that it
 * needs. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef LIBRARY
#define WHO "library"
#else
#define WHO "program"
#endif

static void say(const char *name)
{
    int file = open(name, O_CREAT | O_WRONLY | O_APPEND, 0644);
    if (write(file, "here", 4) == 4)
        close(file);
}

__attribute__((constructor)) static void begin(void)
{
    say(WHO " before main");
}

__attribute__((destructor)) static void end(void)
{
    say(WHO " after main");
}

#ifndef LIBRARY
static void at_exit(void)
{
    say(WHO " at exit");
}

int main(void)
{
    atexit(at_exit);
    say(WHO " in main");
    return 0;
}
#endif
