/* Each has looked for the file in vain, and empties it: who comes late deletes what the other one
 * wrote.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    access("new", F_OK);
    int file = open_file("new", O_CREAT | O_TRUNC);
    put(file, 8 * rank, 8 * rank + 8);
    close(file);
}
