/* A stream opens what was renamed to the name just before: it is the file that was written.
 * ranks: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none
 * pairs: 1 */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    FILE *file;
    if (rank == 0) {
        must(access("new", F_OK) != 0, "access");
        file = fopen("new", "w");
        must(file && fwrite(bytes, 1, 8, file) == 8 && fclose(file) == 0, "fwrite");
        must(rename("new", "shared") == 0, "rename");
        send_to(1, 0);
    } else {
        receive_from(0, 0);
        file = fopen("shared", "r");
        must(file && fread(bytes, 1, 8, file) == 8, "fread");
        fclose(file);
    }
}
