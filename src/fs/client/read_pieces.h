/* Reading a range of a file from where its bytes are. The caller has the lock of the client. */
#ifndef FTH_FS_READ_PIECES_H
#define FTH_FS_READ_PIECES_H

#include "fs/client/client.h"

/* The end of the file as far as this process knows: what it wrote, what the server said last, what
 * the folder below has. */
uint64_t fth_read_pieces_end(struct fth_client_file *file);
/* What this process wrote, else the folder below; zeros up to the end where nobody wrote. With
 * `newest`, what others attached is read from them, as the last query says; only what this process
 * has not attached yet goes before. Returns the bytes, fewer at the end of the file; -1: errno. */
ssize_t fth_read_pieces(struct fth_client_file *file, uint64_t offset, void *to, size_t size,
                        bool newest);
/* The bytes around `offset` that this process wrote and nobody after it, as far as it knows. false:
 * it has not written that byte, or not last. */
bool fth_read_pieces_own(const struct fth_client_file *file, uint64_t offset,
                         struct fth_interval *own);
/* What `peer` has of the range, which must be all. false: ENODATA. */
bool fth_read_pieces_peer(struct fth_client_file *file, uint32_t peer, uint64_t offset, void *to,
                          size_t size);
/* Asks the server who attached the bytes [begin, end), and notes it. false: errno is set. */
bool fth_read_pieces_query(struct fth_client_file *file, uint64_t begin, uint64_t end);

#endif
