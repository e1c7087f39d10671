/* Which file a handle of a process is of. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_HANDLE_FILES_H
#define FTH_VERIFY_GATHER_HANDLE_FILES_H

#include "verify/gather/run_accesses.h"

struct fth_handle_files {
    const struct fth_opening **sorted; /* by process and handle */
    size_t count;
    uint32_t first_proc; /* of the run that is asked about */
};

/* Once files are known, and as long as no openings are added. */
struct fth_handle_files fth_handle_files_of(const struct fth_run_accesses *accesses);
/* fth_order_options.file_of; the context is a struct fth_handle_files. */
uint32_t fth_handle_file(void *context, uint32_t proc, uint64_t number);
void fth_handle_files_free(struct fth_handle_files *files);

#endif
