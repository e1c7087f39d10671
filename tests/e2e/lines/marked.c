/* Calls inside of regions, one inside of another. */
#include <fathom/mark.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    fth_mark_begin("outer");
    int file = open("marked.out", O_CREAT | O_WRONLY, 0600);
    fth_mark_begin("inner");
    ssize_t written = write(file, "123", 3);
    fth_mark_end("inner");
    FILE *stream = fopen("stream.out", "w");
    fputs("text", stream);
    fclose(stream);
    fth_mark_end("outer");
    return written != 3;
}
