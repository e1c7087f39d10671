/* What only HDF5 knows: how many numbers a selection has, and how many bytes a transfer moves. What
 * stays as it is until the program changes it is asked once (kept.h). */
#include "capture/hdf5/kept.h"
#include "capture/hdf5/hdf5_library.h"
#include "capture/wrap/wrap_hdf5.h"

#include <string.h>

enum {
    DATATYPE = 3, /* H5I_type_t, the same in all versions */
    DATASPACE = 4,
    DATASET = 5,
    ALL = 0,         /* H5S_ALL; H5S_BLOCK and H5S_PLIST of 1.14 are no dataspaces either */
    TYPE_SHIFT = 56, /* above it stands the type of an identifier */
};

static bool is_a(hid_t id, int type)
{
    return id > 0 && fth_hdf5.Iget_type(id) == type;
}

/* Of an object of this type; -1 of any other. */
static int64_t ask(hid_t id, int type, enum fth_hdf5_question question, int64_t (*answer_of)(hid_t))
{
    bool may_be_kept = id >> TYPE_SHIFT == type;
    int64_t answer;
    if (may_be_kept && fth_hdf5_kept(id, question, &answer))
        return answer;
    uint64_t before = fth_hdf5_changes(id, question);
    answer = is_a(id, type) ? answer_of(id) : -1;
    if (may_be_kept && answer >= 0)
        fth_hdf5_keep(id, question, before, answer);
    return answer;
}

/* ---- ranks ---- */

static int64_t rank_of_space(hid_t space)
{
    return fth_hdf5.Sget_simple_extent_ndims(space);
}

static int64_t rank_of_dataset(hid_t dataset)
{
    hid_t space = fth_hdf5.Dget_space(dataset);
    int64_t rank = space < 0 ? -1 : rank_of_space(space);
    if (space >= 0)
        fth_hdf5.Sclose(space);
    return rank;
}

int64_t fth_hdf5_rank(hid_t space)
{
    return ask(space, DATASPACE, FTH_HDF5_RANK, rank_of_space);
}

int64_t fth_hdf5_coordinates(hid_t space, size_t points)
{
    int64_t rank = fth_hdf5_rank(space);
    return rank < 0 || points > FTH_LONGEST_LIST ? -1 : rank * (int64_t)points;
}

int64_t fth_hdf5_dataset_rank(hid_t dataset)
{
    return ask(dataset, DATASET, FTH_HDF5_RANK, rank_of_dataset);
}

/* ---- amounts ---- */

static int64_t size_of_type(hid_t type)
{
    size_t size = fth_hdf5.Tget_size(type);
    return size && size <= INT64_MAX ? (int64_t)size : -1;
}

static int64_t points_of_space(hid_t space)
{
    return fth_hdf5.Sget_select_npoints(space);
}

/* Of a dataspace that was made to be asked. */
static int64_t points_of_own(hid_t space)
{
    if (space < 0)
        return -1;
    int64_t points = points_of_space(space);
    fth_hdf5.Sclose(space);
    return points;
}

static int64_t points_of_attribute(hid_t attribute)
{
    return points_of_own(fth_hdf5.Aget_space(attribute));
}

/* Has it one piece of the file to itself? Then its extent never changes, while that of a virtual
 * dataset follows other files, one in chunks may be extended by another process, and who knows what
 * a connector does. (The layout is in the creation property list, too: but to copy that calls what
 * the program has registered with it.) */
static bool is_plain(hid_t dataset)
{
    char name[16] = "native";
    if (fth_hdf5.VLget_connector_name)
        fth_hdf5.VLget_connector_name(dataset, name, sizeof name);
    return strcmp(name, "native") == 0 &&
           fth_hdf5.Dget_offset(dataset) != UINT64_MAX /* HADDR_UNDEF */;
}

/* Whether it is plain costs more to find out than to ask for the extent: that is done when it is
 * asked for again. */
static int64_t points_of_dataset(hid_t dataset)
{
    enum { ASKED_ONCE = -1, NOT_PLAIN = -2 };
    int64_t known = 0;
    bool may_be_kept = dataset >> TYPE_SHIFT == DATASET,
         is_kept = may_be_kept && fth_hdf5_kept(dataset, FTH_HDF5_AMOUNT, &known);
    if (is_kept && known >= 0)
        return known;
    uint64_t before = fth_hdf5_changes(dataset, FTH_HDF5_AMOUNT);
    int64_t points = is_a(dataset, DATASET) ? points_of_own(fth_hdf5.Dget_space(dataset)) : -1;
    if (points < 0 || !may_be_kept || known == NOT_PLAIN)
        return points;
    int64_t now_known = !is_kept ? ASKED_ONCE : is_plain(dataset) ? points : NOT_PLAIN;
    fth_hdf5_keep(dataset, FTH_HDF5_AMOUNT, before, now_known);
    return points;
}

static int64_t bytes_of(int64_t points, hid_t type)
{
    int64_t size = points < 0 ? -1 : ask(type, DATATYPE, FTH_HDF5_AMOUNT, size_of_type), bytes;
    return size > 0 && !__builtin_mul_overflow(points, size, &bytes) ? bytes : -1;
}

static int64_t points_of(hid_t space)
{
    return ask(space, DATASPACE, FTH_HDF5_AMOUNT, points_of_space);
}

/* A selection in memory says how much; without one it is that in the file; without both it is
 * all. */
int64_t fth_hdf5_bytes(hid_t dataset, hid_t memory_type, hid_t memory_space, hid_t file_space)
{
    int64_t points = points_of(memory_space);
    if (points < 0)
        points = points_of(file_space);
    if (points < 0 && memory_space == ALL && file_space == ALL)
        points = points_of_dataset(dataset);
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
    return bytes_of(ask(attribute, fth_hdf5.attribute, FTH_HDF5_AMOUNT, points_of_attribute),
                    memory_type);
}

int64_t fth_hdf5_chunk_bytes(size_t bytes)
{
    return (int64_t)bytes;
}
