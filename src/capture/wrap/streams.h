/* FILE * and DIR *, vectors and control blocks: what generated wrappers of libc ask about them. */
#ifndef FTH_CAPTURE_WRAP_STREAMS_H
#define FTH_CAPTURE_WRAP_STREAMS_H
#include "capture/follow/handle_slots.h"

/* FILE * and DIR *: found, adopted, opened and closed together with the descriptor underneath
 * (streams.c). */
int32_t fth_find_stream(uint32_t handle_class, void *stream) FTH_PUBLIC;
int32_t fth_find_directory(uint32_t handle_class, void *directory) FTH_PUBLIC;
int32_t fth_open_stream(uint32_t handle_class, void *stream, const char *path,
                        int directory) FTH_PUBLIC;
int32_t fth_open_directory(uint32_t handle_class, void *stream, const char *path,
                           int directory) FTH_PUBLIC;
int32_t fth_close_stream(uint32_t handle_class, void *stream) FTH_PUBLIC;
int32_t fth_close_directory(uint32_t handle_class, void *directory) FTH_PUBLIC;
/* n descriptors that the call has stored there, as a list of slots and numbers minus slots. */
int64_t fth_open_descriptors(struct fth_draft *draft, uint32_t handle_class, const int *descriptors,
                             int64_t n, bool made) FTH_PUBLIC;
struct iovec;
int64_t fth_iov_bytes(struct fth_draft *draft, const struct iovec *vector, int64_t n) FTH_PUBLIC;
struct aiocb;
void fth_keep_aio(struct fth_draft *draft, uint32_t handle_class, int ordinal,
                  const void *control) FTH_PUBLIC;
/* n pointers to control blocks, those that are null left out: of each slot, offset, bytes and
 * operation. */
int64_t fth_aio_list(struct fth_draft *draft, uint32_t handle_class, const void *controls,
                     int64_t n) FTH_PUBLIC;

#endif
