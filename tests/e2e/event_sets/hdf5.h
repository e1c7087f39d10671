/* What the programs use of HDF5, without its headers. */
#include <stddef.h>
#include <stdint.h>

typedef int64_t hid_t;
typedef int herr_t;
herr_t H5open(void);
hid_t H5Tcopy(hid_t type);
hid_t H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access);
herr_t H5Fclose(hid_t id);
hid_t H5Dopen2(hid_t id, const char *name, hid_t access);
herr_t H5Dclose(hid_t id);
herr_t H5Dwrite_async(const char *source, const char *function, unsigned line, hid_t dataset,
                      hid_t type, hid_t memory, hid_t selected, hid_t transfer, const void *from,
                      hid_t set);
herr_t H5Dread_async(const char *source, const char *function, unsigned line, hid_t dataset,
                     hid_t type, hid_t memory, hid_t selected, hid_t transfer, void *to, hid_t set);
hid_t H5EScreate(void);
herr_t H5ESwait(hid_t set, uint64_t timeout, size_t *in_progress, _Bool *failed);
herr_t H5EScancel(hid_t set, size_t *not_cancelled, _Bool *failed);
herr_t H5ESclose(hid_t set);
