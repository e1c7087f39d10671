/* Two children seek and write through one stream that their parent has opened: what is below the
 * stream is one descriptor, which the seek of one moves for the other.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static FILE *stream;

static void write_at(long place)
{
    must(fseek(stream, place, SEEK_SET) == 0, "fseek");
    usleep(1000);
    must(fwrite(bytes, 1, 8, stream) == 8, "fwrite");
    _exit(0);
}

static void first(void)
{
    write_at(8);
}

static void second(void)
{
    write_at(1024);
}

int main(void)
{
    stream = fopen("shared", "r+");
    must(stream != NULL && setvbuf(stream, NULL, _IONBF, 0) == 0, "fopen");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
