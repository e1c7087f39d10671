/* Inner header: messages through MPI, between the ranks that a launcher started. */
#ifndef FTH_MEASURE_MPI_SPEED_H
#define FTH_MEASURE_MPI_SPEED_H

#include "measure/machine.h"
#include "measure/mpi_library.h"

/* On rank 0: times messages to one rank of each placement there is, and finds how many nodes there
 * are. The others wait without a noise, and all have left MPI afterwards. */
int fth_measure_mpi(struct fth_measured *measured, int64_t budget, struct fth_progress *progress,
                    struct fth_error **error);
/* On rank 0, between the two: times what MPI-IO does with files that only one process opens. */
int fth_measure_mpi_files(struct fth_measured *measured, const struct fth_mpi *mpi, int64_t budget,
                          struct fth_progress *progress, struct fth_error **error);
/* On the others: does what rank 0 asks for. */
int fth_mpi_follow(const struct fth_measure_request *request, struct fth_error **error);

#endif
