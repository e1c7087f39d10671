/* Shared maps of files that may be made writable later. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_MAPS_H
#define FTH_CAPTURE_WRAP_MAPS_H

#include <stddef.h>
#include <sys/types.h>

void fth_after_mmap(void *result, void *address, size_t length, int prot, int flags, int fd,
                    off_t offset);
static inline void fth_before_mmap(void *address, size_t length, int prot, int flags, int fd,
                                   off_t offset)
{
    (void)address, (void)length, (void)prot, (void)flags, (void)fd, (void)offset;
}
static inline void fth_after_mmap64(void *result, void *address, size_t length, int prot, int flags,
                                    int fd, off_t offset)
{
    fth_after_mmap(result, address, length, prot, flags, fd, offset);
}
static inline void fth_before_mmap64(void *address, size_t length, int prot, int flags, int fd,
                                     off_t offset)
{
    fth_before_mmap(address, length, prot, flags, fd, offset);
}
static inline void fth_before_mremap(void *old, size_t old_length, size_t length, int flags,
                                     void *address)
{
    (void)old, (void)old_length, (void)length, (void)flags, (void)address;
}
void fth_after_mremap(void *result, void *old, size_t old_length, size_t length, int flags,
                      void *address);

#endif
