/* Two event sets: writes and a read that one waits for, after a look that finds them under way;
 * writes that the other one cancels; and a write in none. */
#include "hdf5.h"

#include <stdio.h>
#include <string.h>

#define HERE __FILE__, __func__, __LINE__

int main(void)
{
    static char data[100], back[100];
    size_t left[4];
    _Bool failed;
    memset(data, 'x', sizeof data);
    hid_t type = H5Tcopy(0), file = H5Fcreate("sets.h5", 2, 0, 0);
    hid_t one = H5Dopen2(file, "one", 0), two = H5Dopen2(file, "two", 0);
    hid_t set = H5EScreate(), other = H5EScreate();
    herr_t status = H5Dwrite_async(HERE, one, type, 0, 0, 0, data, set);
    status |= H5Dwrite_async(HERE, two, type, 0, 0, 0, data, set);
    status |= H5ESwait(set, 0, &left[0], &failed);
    status |= H5Dwrite_async(HERE, one, type, 0, 0, 0, back, other);
    status |= H5ESwait(set, UINT64_MAX, &left[1], &failed);
    status |= H5Dread_async(HERE, two, type, 0, 0, 0, back, set);
    status |= H5Dwrite_async(HERE, two, type, 0, 0, 0, data, other);
    status |= H5EScancel(other, &left[2], &failed);
    status |= H5ESwait(set, UINT64_MAX, &left[3], &failed);
    status |= H5Dwrite_async(HERE, one, type, 0, 0, 0, data, 0);
    status |= H5ESclose(set) | H5ESclose(other) | H5Dclose(one) | H5Dclose(two) | H5Fclose(file);
    printf("%d %zu %zu %zu %zu %s\n", status, left[0], left[1], left[2], left[3],
           memcmp(data, back, sizeof data) ? "differs" : "same");
    return 0;
}
