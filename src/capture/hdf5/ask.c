/* What only HDF5 knows: how many numbers a selection has, and how many bytes a transfer moves. */
#include "capture/wrap_hdf5.h"

#include "capture/hdf5/library.h"

enum {
    DATATYPE = 3, /* H5I_type_t, the same in all versions */
    DATASPACE = 4,
    DATASET = 5,
    ALL = 0, /* H5S_ALL; H5S_BLOCK and H5S_PLIST of 1.14 are no dataspaces either */
};

static bool is_a(hid_t id, int type)
{
    return id > 0 && fth_hdf5.Iget_type(id) == type;
}

int64_t fth_hdf5_rank(hid_t space)
{
    return is_a(space, DATASPACE) ? fth_hdf5.Sget_simple_extent_ndims(space) : -1;
}

int64_t fth_hdf5_coordinates(hid_t space, size_t points)
{
    int64_t rank = fth_hdf5_rank(space);
    return rank < 0 || points > FTH_LONGEST_LIST ? -1 : rank * (int64_t)points;
}

static hid_t space_of_dataset(hid_t dataset)
{
    return is_a(dataset, DATASET) ? fth_hdf5.Dget_space(dataset) : -1;
}

int64_t fth_hdf5_dataset_rank(hid_t dataset)
{
    hid_t space = space_of_dataset(dataset);
    int64_t rank = fth_hdf5_rank(space);
    if (space >= 0)
        fth_hdf5.Sclose(space);
    return rank;
}

/* Predefined types stay as they are, so they are asked once: each question costs HDF5 more than the rest of the wrapper. A place holds the low
 * half of an identifier, whose other half is the same for all that are not made after 2^32 others, and the size. */
static uint64_t sizes_known[64];

static size_t size_of_type(hid_t type)
{
    uint64_t *place = &sizes_known[(uint64_t)type % 64];
    uint64_t known = __atomic_load_n(place, __ATOMIC_RELAXED);
    char name[64];
    bool is_early = type >> 32 == (int64_t)DATATYPE << 24;
    if (is_early && known && known >> 32 == (uint32_t)type)
        return known & UINT32_MAX;
    if (!is_a(type, DATATYPE))
        return 0;
    size_t size = fth_hdf5.Tget_size(type);
    if (is_early && size && size < UINT32_MAX &&
        fth_hdf5_predefined((uint64_t)type, name, sizeof name))
        __atomic_store_n(place, (uint64_t)(uint32_t)type << 32 | size, __ATOMIC_RELAXED);
    return size;
}

static int64_t bytes_of(int64_t points, hid_t type)
{
    size_t size = points < 0 ? 0 : size_of_type(type);
    int64_t bytes;
    return size && !__builtin_mul_overflow(points, (int64_t)size, &bytes) ? bytes : -1;
}

static int64_t points_of(hid_t space)
{
    return is_a(space, DATASPACE) ? fth_hdf5.Sget_select_npoints(space) : -1;
}

/* Of a dataspace that was made to be asked. */
static int64_t points_of_own(hid_t space)
{
    if (space < 0)
        return -1;
    int64_t points = fth_hdf5.Sget_select_npoints(space);
    fth_hdf5.Sclose(space);
    return points;
}

/* A selection in memory says how much; without one it is that in the file; without both it is all. */
int64_t fth_hdf5_bytes(hid_t dataset, hid_t memory_type, hid_t memory_space, hid_t file_space)
{
    int64_t points = points_of(memory_space);
    if (points < 0)
        points = points_of(file_space);
    if (points < 0 && memory_space == ALL && file_space == ALL)
        points = points_of_own(space_of_dataset(dataset));
    return bytes_of(points, memory_type);
}

int64_t fth_hdf5_bytes_of_all(size_t count, const hid_t *datasets, const hid_t *memory_types,
                              const hid_t *memory_spaces, const hid_t *file_spaces)
{
    int64_t sum = 0;
    for (size_t i = 0; datasets && memory_types && memory_spaces && file_spaces && i < count; i++) {
        int64_t bytes =
            fth_hdf5_bytes(datasets[i], memory_types[i], memory_spaces[i], file_spaces[i]);
        if (bytes < 0 || __builtin_add_overflow(sum, bytes, &sum))
            return -1;
    }
    return sum;
}

int64_t fth_hdf5_attribute_bytes(hid_t attribute, hid_t memory_type)
{
    bool is_known = fth_hdf5.attribute && is_a(attribute, fth_hdf5.attribute);
    return bytes_of(is_known ? points_of_own(fth_hdf5.Aget_space(attribute)) : -1, memory_type);
}

int64_t fth_hdf5_chunk_bytes(size_t bytes)
{
    return (int64_t)bytes;
}
