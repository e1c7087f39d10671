/* Files by their identity, which their names do not change: "inode-NUMBER". They are of one device,
 * that of the folder below, to which each node gives a number of its own. A server holds each of
 * them that a client of it has attached something of, so that the number belongs to no other file
 * meanwhile. Of an instance on several nodes, where one server may be dead while others go on, it
 * is "inode-NUMBER-BIRTH": a number that is given again is another file.
 *
 * Which files these are, all processes of a node see in the file `known` of the instance, without a
 * message: it has a bit for the hash of each. A bit that is not set: nobody has attached anything.
 * Behind them it has as many bits for files that are given to the system: all of their bytes are in
 * the folder below, and everybody works on them there, as somebody maps them shared. Bits are never
 * taken back. Two files may have one bit, so what it says of a file is a guess, but where it is not
 * set. Of an instance on several nodes all of the first ones are set, as nodes do not say to others
 * what they have attached. */
#ifndef FTH_FS_HELD_FILES_H
#define FTH_FS_HELD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define FTH_IDENTITY_START "inode-"
enum { FTH_IDENTITY_MOST = 48, FTH_KNOWN_BYTES = 64 << 10 };

/* Is it such a name? */
bool fth_held_is_identity(const char *name, size_t length);
/* ns since 1970; 0: the file system does not say. The path: "" for the descriptor itself. */
uint64_t fth_held_born(int directory, const char *path);
/* The name of the file in messages; `born`: 0 where the instance is on one node. Its length. */
size_t fth_identity_of(const struct stat *status, uint64_t born, char identity[FTH_IDENTITY_MOST]);
/* The bits, mapped; `writes`: and made, where they are not there. NULL: errno is set. */
uint8_t *fth_known_files_map(int folder, bool writes);
void fth_known_files_unmap(uint8_t *known);
uint32_t fth_known_files_bit(const char *identity, size_t length);
void fth_known_files_add_all(uint8_t *known);
void fth_known_files_add(uint8_t *known, const char *identity, size_t length);
void fth_known_files_give(uint8_t *known, const char *identity, size_t length);

static inline bool fth_known_files_has(const uint8_t *known, uint32_t bit)
{
    return __atomic_load_n(&known[bit / 8], __ATOMIC_SEQ_CST) >> bit % 8 & 1;
}

static inline bool fth_known_files_is_given(const uint8_t *known, uint32_t bit)
{
    return fth_known_files_has(known, FTH_KNOWN_BYTES * 8 + bit);
}

#endif
