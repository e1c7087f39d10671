/* Files by their identity, which their names do not change: "inode-DEVICE-NUMBER". A server holds
 * each of them that has something attached, so that the number belongs to no other file meanwhile.
 *
 * Which files these are, all processes of a node see in the file `known` of the instance, without a
 * message: it has a bit for the hash of each. A bit that is not set: nobody has attached anything.
 * Bits are never taken back. */
#ifndef FTH_FS_HELD_FILES_H
#define FTH_FS_HELD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define FTH_IDENTITY_START "inode-"
enum { FTH_IDENTITY_MOST = 48, FTH_KNOWN_BYTES = 64 << 10 };

/* The name of the file in messages; returns its length. */
size_t fth_identity_of(const struct stat *status, char identity[FTH_IDENTITY_MOST]);
/* The bits, mapped; `writes`: and made, where they are not there. NULL: errno is set. */
uint8_t *fth_known_files_map(int folder, bool writes);
void fth_known_files_add(uint8_t *known, const char *identity, size_t length);
bool fth_known_files_has(const uint8_t *known, const char *identity, size_t length);

#endif
