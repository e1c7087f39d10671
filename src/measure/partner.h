/* Inner header: a folder of our own for files with names, and another process that works in it at
 * the same time. It outlives us by a moment, however we end, and deletes the folder then. */
#ifndef FTH_MEASURE_PARTNER_H
#define FTH_MEASURE_PARTNER_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

/* What both do at the same time. */
enum fth_partner_work { FTH_PARTNER_CREATES, FTH_PARTNER_WRITES };

struct fth_partner;

/* NULL: *error is set. */
struct fth_partner *fth_partner_start(const char *folder, struct fth_error **error);
/* The folder. */
const char *fth_partner_folder(const struct fth_partner *partner);
/* The other one prepares so much of that work, and begins with it when this returns. -1: it is
 * gone. */
int fth_partner_begin(struct fth_partner *partner, enum fth_partner_work work, uint32_t batch,
                      uint64_t bytes, struct fth_error **error);
/* It has done it, and what it made is gone. */
int fth_partner_wait(struct fth_partner *partner, struct fth_error **error);
/* Deletes the folder. */
void fth_partner_end(struct fth_partner *partner);

/* The work itself, of one of the two (0 or 1): files "N.SIDE" are made; records of the file
 * "shared", every other one of which is the own, are written. -1: errno says why. */
int fth_partner_create(int directory, int side, uint32_t batch);
int fth_partner_delete(int directory, int side, uint32_t batch);
int fth_partner_write(int file, int side, uint32_t batch, uint64_t bytes, const char *buffer);
int fth_partner_shared(int directory);

#endif
