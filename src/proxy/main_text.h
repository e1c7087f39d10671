/* What the program declares, and its main function. Inner header of the proxy room. */
#ifndef FTH_PROXY_MAIN_TEXT_H
#define FTH_PROXY_MAIN_TEXT_H

#include "proxy/writing.h"

/* All that the program consists of. */
struct fth_proxy_parts {
    struct fth_writing *writing;
    const struct fth_proxy_process *processes; /* in order of ranks; then those that they start */
    size_t process_count, all_count;
    bool in_mpi;
    bool asks; /* the program asks for its rank, which the run did not do, or later */
    const struct fth_body *start; /* until the rank is known; without members: there is none */
    const struct fth_body *bodies;
    size_t body_count;
    const struct fth_body *programs; /* of processes that are started: by number, from 1 */
    uint32_t program_count;
};

/* Writes functions, tables and the main function, and finds out what the program declares. */
void fth_proxy_write_main(const struct fth_proxy_parts *parts);

#endif
