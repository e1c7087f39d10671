/* Streams whose buffers the program chooses, that are led to other files, and whose descriptors it
 * uses: setvbuf, freopen (also of the standard output), fileno. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(int done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(1);
}

static void buffered(const char *name, int mode, size_t size)
{
    static char memory[1 << 16];
    FILE *stream = fopen(name, "w");
    must(stream && setvbuf(stream, mode == _IONBF ? NULL : memory, mode, size) == 0, name);
    for (int i = 0; i < 100; i++)
        must(fwrite("0123456789", 1, 10, stream) == 10, name);
    must(fclose(stream) == 0, name);
}

int main(void)
{
    buffered("large", _IOFBF, 1 << 16);
    buffered("small", _IOFBF, 100);
    buffered("none", _IONBF, 0);
    must(freopen("printed", "w", stdout) != NULL, "freopen");
    must(setvbuf(stdout, NULL, _IOFBF, 1 << 12) == 0, "setvbuf");
    for (int i = 0; i < 50; i++)
        printf("line %d\n", i + 100);
    must(fflush(stdout) == 0 && fsync(fileno(stdout)) == 0, "fileno");
    must(write(fileno(stdout), "below\n", 6) == 6, "write");
    must(freopen("again", "a+", stdout) != NULL, "freopen");
    must(fputs("one line in another file\n", stdout) >= 0 && fflush(stdout) == 0, "fputs");
    FILE *own = fopen("first", "w");
    must(own && fputs("first\n", own) >= 0, "first");
    own = freopen("second", "w", own);
    must(own && fputs("the second one\n", own) >= 0, "second");
    must(ftruncate(fileno(own), 100) == 0 && fclose(own) == 0, "ftruncate");
    return 0;
}
