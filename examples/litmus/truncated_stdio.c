/* Each opens the file with fopen to write: who comes late deletes what the other one wrote.
 * ranks: 2
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    FILE *file = fopen("shared", "w");
    must(file != NULL, "shared");
    fseek(file, 8 * rank, SEEK_SET);
    fputs("8 bytes.", file);
    fclose(file);
}
