/* A child writes to the stream of its parent by macros only: its trace has one write at its end. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    FILE *stream = fopen("shared_stream", "we");
    fputs("parent\n", stream);
    fflush(stream);
    if (!fork()) {
        for (int i = 0; i < 100; i++)
            putc_unlocked('x', stream);
        return 0;
    }
    wait(NULL);
    return fclose(stream);
}
