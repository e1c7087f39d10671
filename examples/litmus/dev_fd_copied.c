/* Each opens the file once more through /dev/stdout, and writes through a copy of that descriptor:
 * at its own position.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void copy_to_standard_output(void)
{
    int file = open_file("/dev/stdout", 0);
    must(dup2(file, 1) == 1 && close(file) == 0, "dup2");
}

static void by_descriptor(void)
{
    copy_to_standard_output();
    must(write(1, bytes, 8) == 8, "write");
}

static void by_stream(void)
{
    copy_to_standard_output();
    must(fwrite(bytes, 1, 8, stdout) == 8 && fflush(stdout) == 0, "fwrite");
}

int main(void)
{
    must(dup2(open_file("shared", 0), 1) == 1, "dup2");
    pid_t children[] = {start(by_descriptor), start(by_stream)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
