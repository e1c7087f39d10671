/* The I/O events of the calls of a process: handles, operations, seeks, locks. */
#ifndef FTH_EXPORT_OTF2_IO_EVENTS_H
#define FTH_EXPORT_OTF2_IO_EVENTS_H

#ifdef FATHOM_OTF2
#include "export/otf2/referred.h"
#include "export/otf2/location.h"

struct fth_otf2_io {
    struct fth_otf2_definitions *definitions;
    struct fth_otf2_known {
        OTF2_IoHandleRef number;
        OTF2_IoStatusFlag status;
        bool is_defined, is_parallel, lock_is_shared;
    } * known; /* by number of the handle in the process */
    uint32_t known_limit;
    uint64_t operations; /* so far: they are numbered in the process */
    struct fth_otf2_in_flight {
        uint64_t operation; /* fth_operation.number */
        uint64_t id, tests;
        OTF2_IoHandleRef handle;
    } * in_flight;
    uint32_t in_flight_count, in_flight_limit;
};

/* Of the call that the location has just entered. */
void fth_otf2_put_io(struct fth_otf2_io *io, struct fth_otf2_location *location,
                     const struct fth_export_part *part, const struct fth_call *call);
void fth_otf2_io_free(struct fth_otf2_io *io);

#endif
#endif
