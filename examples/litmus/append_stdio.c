/* stdio appends: each buffer goes to the end of the file.
 * ranks: 2
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    FILE *file = fopen("shared", "a");
    must(file != NULL, "shared");
    fprintf(file, "rank %d\n", rank);
    fclose(file);
}
