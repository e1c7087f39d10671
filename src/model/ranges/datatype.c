/* Derived datatypes. Bounds follow MPI 4.1, section 5.1: lower and upper bound are those of the
 * elements, unless they were given (resized types, arrays); what has given bounds in it takes its
 * own from these alone; a structure is padded to the alignment of its elements. */
#include "model/ranges/datatype.h"

#include "base/memory.h"

#include <string.h>

enum { DEEPEST = 64 /* types in types; deeper ones are not made */ };

static const char *const words[] = {
    [FTH_DATATYPE_CONTIGUOUS] = "contiguous",
    [FTH_DATATYPE_VECTOR] = "vector",
    [FTH_DATATYPE_HVECTOR] = "hvector",
    [FTH_DATATYPE_INDEXED] = "indexed",
    [FTH_DATATYPE_HINDEXED] = "hindexed",
    [FTH_DATATYPE_INDEXED_BLOCK] = "indexed_block",
    [FTH_DATATYPE_HINDEXED_BLOCK] = "hindexed_block",
    [FTH_DATATYPE_STRUCT] = "struct",
    [FTH_DATATYPE_SUBARRAY] = "subarray",
    [FTH_DATATYPE_DARRAY] = "darray",
    [FTH_DATATYPE_RESIZED] = "resized",
    [FTH_DATATYPE_DUP] = "dup",
};

bool fth_datatype_form_of(const char *word, enum fth_datatype_form *form)
{
    for (size_t i = FTH_DATATYPE_CONTIGUOUS; i < sizeof words / sizeof *words; i++) {
        *form = (enum fth_datatype_form)i;
        if (strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

/* ---- numbers ---- */

/* Sums and products that say at the end whether all of them were numbers. */
struct checked {
    bool failed;
};

static int64_t sum(struct checked *checked, int64_t one, int64_t other)
{
    int64_t result = 0;
    checked->failed |= __builtin_add_overflow(one, other, &result);
    return result;
}

static int64_t difference(struct checked *checked, int64_t one, int64_t other)
{
    int64_t result = 0;
    checked->failed |= __builtin_sub_overflow(one, other, &result);
    return result;
}

static int64_t product(struct checked *checked, int64_t one, int64_t other)
{
    int64_t result = 0;
    checked->failed |= __builtin_mul_overflow(one, other, &result);
    return result;
}

static bool is_abi(const struct fth_mpi_constants *constants, const char *name)
{
    const char *abi = fth_mpi_abi_name(constants);
    return abi && strcmp(abi, name) == 0;
}

/* ---- bounds ---- */

/* Of what was put together so far. */
struct bounds {
    int64_t lower, upper;
    bool any, given;
    /* that bounds of elements were given: MPICH does in structures, from its version 4 on */
    bool forgets;
};

/* `count` elements of `type`, the first at `at`, each `stride` bytes behind the one before. */
static void include(struct checked *checked, struct bounds *bounds,
                    const struct fth_made_datatype *type, int64_t at, int64_t stride, int64_t count)
{
    bool given = type->bounded && !bounds->forgets;
    if (!count || (bounds->given && !given))
        return;
    int64_t last = sum(checked, at, product(checked, stride, count - 1));
    int64_t lower = sum(checked, at < last ? at : last, type->tree.lower_bound);
    int64_t upper = sum(checked, at < last ? last : at, type->upper_bound);
    bool first = !bounds->any || (given && !bounds->given);
    if (first || lower < bounds->lower)
        bounds->lower = lower;
    if (first || upper > bounds->upper)
        bounds->upper = upper;
    bounds->any = true;
    bounds->given |= given;
}

/* ---- what is being made ---- */

struct making {
    const struct fth_constructor *from;
    struct fth_made_datatype *old; /* the first of its parts */
    struct checked checked;
    struct bounds bounds;
    const struct fth_layout *layout; /* NULL: there is none */
    int64_t alignment;
};

static bool has_lists(const struct making *making, size_t lists, int64_t count)
{
    if (making->from->list_count < lists || count < 0)
        return false;
    for (size_t i = 0; i < lists; i++)
        if (making->from->lists[i].count < (uint64_t)count)
            return false;
    return true;
}

/* A block of `length` elements. */
static const struct fth_layout *block_of(const struct fth_made_datatype *type, int64_t at,
                                         int64_t length)
{
    return length < 0 ? NULL : fth_layout_repeat(type->layout, at, type->tree.extent, length);
}

/* `count` blocks at a stride in bytes. */
static void make_vector(struct making *making, int64_t count, int64_t length, int64_t stride)
{
    const struct fth_made_datatype *old = making->old;
    struct checked *checked = &making->checked;
    if (count < 0 || length < 0)
        return;
    const struct fth_layout *block = block_of(old, 0, length);
    making->layout = fth_layout_repeat(block, 0, stride, count);
    fth_layout_drop(block);
    if (!count || !length)
        return;
    int64_t last = product(checked, stride, count - 1);
    include(checked, &making->bounds, old, 0, old->tree.extent, length);
    include(checked, &making->bounds, old, last, old->tree.extent, length);
}

/* Blocks at places of their own, in units of so many bytes; without `lengths` of `length` elements
 * each. */
static void make_list(struct making *making, int64_t count, const int64_t *lengths, int64_t length,
                      const int64_t *places, int64_t unit)
{
    const struct fth_constructor *from = making->from;
    bool of_types = from->form == FTH_DATATYPE_STRUCT;
    const struct fth_layout **blocks = fth_new((size_t)count + 1, sizeof *blocks);
    for (int64_t i = 0; i < count; i++) {
        const struct fth_made_datatype *type = of_types ? from->parts[i] : making->old;
        int64_t n = lengths ? lengths[i] : length;
        int64_t at = product(&making->checked, places[i], unit);
        blocks[i] = type ? block_of(type, at, n) : NULL;
        if (!blocks[i])
            continue;
        include(&making->checked, &making->bounds, type, at, type->tree.extent, n);
        if (n && type->alignment > making->alignment)
            making->alignment = type->alignment;
    }
    making->layout = fth_layout_list(blocks, (size_t)count);
    free(blocks);
}

/* ---- arrays ---- */

/* The constants of each ABI. */
struct array_constants {
    const char *abi;
    int64_t order_c, order_fortran, block, cyclic, none, default_argument;
};
static const struct array_constants array_constants[] = {
    {"openmpi", 0, 1, 0, 1, 2, -1},
    {"mpich", 56, 57, 121, 122, 123, -49767},
};

static const struct array_constants *array_constants_of(const struct fth_mpi_constants *constants)
{
    const char *abi = fth_mpi_abi_name(constants);
    for (size_t i = 0; abi && i < sizeof array_constants / sizeof *array_constants; i++)
        if (strcmp(array_constants[i].abi, abi) == 0)
            return &array_constants[i];
    return NULL;
}

/* The part of one dimension that is wanted: `inner` is what one step in it holds. Returns NULL for
 * none. */
typedef const struct fth_layout *part_of_dimension(struct making *making, int64_t dimension,
                                                   const struct fth_layout *inner, int64_t stride,
                                                   const struct array_constants *constants);

static const struct fth_layout *part_of_subarray(struct making *making, int64_t dimension,
                                                 const struct fth_layout *inner, int64_t stride,
                                                 const struct array_constants *constants)
{
    (void)constants;
    int64_t size = making->from->lists[0].numbers[dimension],
            wanted = making->from->lists[1].numbers[dimension],
            start = making->from->lists[2].numbers[dimension];
    if (wanted < 0 || start < 0 || size < wanted || start > size - wanted)
        return NULL;
    return fth_layout_repeat(inner, product(&making->checked, start, stride), stride, wanted);
}

/* Blocks of `length` steps are dealt out to `processes` in turn; `rank` is one of them (MPI 4.1,
 * 5.1.4). The last one may be cut short. */
static const struct fth_layout *deal(struct making *making, int64_t size, int64_t length,
                                     int64_t processes, int64_t rank,
                                     const struct fth_layout *inner, int64_t stride)
{
    struct checked *checked = &making->checked;
    int64_t round = product(checked, length, processes), first = product(checked, length, rank);
    if (checked->failed || first >= size)
        return fth_layout_dense(0, 0);
    int64_t whole = size - first < length ? 0 : (size - first - length) / round + 1;
    int64_t behind = sum(checked, first, product(checked, whole, round));
    int64_t rest = behind < size ? size - behind : 0; /* less than a block */
    const struct fth_layout *block = fth_layout_repeat(inner, 0, stride, length);
    const struct fth_layout *both[] = {
        fth_layout_repeat(block, product(checked, first, stride), product(checked, round, stride),
                          whole),
        fth_layout_repeat(inner, product(checked, behind, stride), stride, rest)};
    fth_layout_drop(block);
    return fth_layout_list(both, 2);
}

/* Ranks are in row-major order in the grid of processes, whatever the order of the array. */
static int64_t rank_in_dimension(const struct fth_constructor *from, int64_t dimension)
{
    int64_t rank = from->integers[1];
    for (int64_t i = from->integers[2] - 1; i > dimension; i--)
        rank /= from->lists[3].numbers[i];
    return rank % from->lists[3].numbers[dimension];
}

static const struct fth_layout *part_of_darray(struct making *making, int64_t dimension,
                                               const struct fth_layout *inner, int64_t stride,
                                               const struct array_constants *constants)
{
    const struct fth_constructor *from = making->from;
    int64_t size = from->lists[0].numbers[dimension], how = from->lists[1].numbers[dimension],
            length = from->lists[2].numbers[dimension],
            processes = from->lists[3].numbers[dimension];
    if (how == constants->none)
        return fth_layout_repeat(inner, 0, stride, size);
    if (how != constants->block && how != constants->cyclic)
        return NULL;
    if (length == constants->default_argument)
        length = how == constants->block ? (size - 1) / processes + 1 : 1;
    if (length < 1)
        return NULL;
    return deal(making, size, length, processes, rank_in_dimension(from, dimension), inner, stride);
}

/* The dimension that varies fastest comes first. */
static void make_array(struct making *making, int64_t dimensions, int64_t order,
                       part_of_dimension *part, const struct array_constants *constants)
{
    struct checked *checked = &making->checked;
    int64_t stride = making->old->tree.extent;
    bool by_rows = order == constants->order_c;
    if (!by_rows && order != constants->order_fortran)
        return;
    const struct fth_layout *layout = fth_layout_share(making->old->layout);
    for (int64_t i = 0; i < dimensions && layout; i++) {
        int64_t dimension = by_rows ? dimensions - 1 - i : i;
        const struct fth_layout *wider = part(making, dimension, layout, stride, constants);
        fth_layout_drop(layout);
        layout = wider;
        stride = product(checked, stride, making->from->lists[0].numbers[dimension]);
    }
    making->layout = layout;
    making->bounds = (struct bounds){.upper = stride, .any = true, .given = true};
}

static bool are_positive(const struct fth_constructor *from, size_t list, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (from->lists[list].numbers[i] < 1)
            return false;
    return true;
}

/* ---- constructors ---- */

static void make_by_form(struct making *making, const struct fth_mpi_constants *constants)
{
    const struct fth_constructor *from = making->from;
    const struct fth_made_datatype *old = making->old;
    const struct array_constants *arrays = array_constants_of(constants);
    const int64_t *integers = from->integers, *lists[FTH_DATATYPE_LISTS];
    int64_t extent = old->tree.extent;
    for (size_t i = 0; i < FTH_DATATYPE_LISTS; i++)
        lists[i] = from->lists[i].numbers;
    switch (from->form) {
    case FTH_DATATYPE_NAMED:
        break;
    case FTH_DATATYPE_CONTIGUOUS:
        make_vector(making, 1, integers[0], 0);
        break;
    case FTH_DATATYPE_VECTOR:
        make_vector(making, integers[0], integers[1],
                    product(&making->checked, integers[2], extent));
        break;
    case FTH_DATATYPE_HVECTOR:
        make_vector(making, integers[0], integers[1], integers[2]);
        break;
    case FTH_DATATYPE_INDEXED:
    case FTH_DATATYPE_HINDEXED:
        if (has_lists(making, 2, integers[0]))
            make_list(making, integers[0], lists[0], 0, lists[1],
                      from->form == FTH_DATATYPE_INDEXED ? extent : 1);
        break;
    case FTH_DATATYPE_INDEXED_BLOCK:
    case FTH_DATATYPE_HINDEXED_BLOCK:
        if (has_lists(making, 1, integers[0]))
            make_list(making, integers[0], NULL, integers[1], lists[0],
                      from->form == FTH_DATATYPE_INDEXED_BLOCK ? extent : 1);
        break;
    case FTH_DATATYPE_STRUCT:
        if (has_lists(making, 2, integers[0]) && from->part_count >= (uint64_t)integers[0])
            make_list(making, integers[0], lists[0], 0, lists[1], 1);
        break;
    case FTH_DATATYPE_SUBARRAY:
        if (arrays && integers[0] > 0 && has_lists(making, 3, integers[0]) &&
            are_positive(from, 0, integers[0]))
            make_array(making, integers[0], integers[1], part_of_subarray, arrays);
        break;
    case FTH_DATATYPE_DARRAY:
        if (arrays && integers[1] >= 0 && integers[2] > 0 && has_lists(making, 4, integers[2]) &&
            are_positive(from, 0, integers[2]) && are_positive(from, 3, integers[2]))
            make_array(making, integers[2], integers[3], part_of_darray, arrays);
        break;
    case FTH_DATATYPE_RESIZED:
        making->layout = fth_layout_share(old->layout);
        making->bounds = (struct bounds){.lower = integers[0], .any = true, .given = true};
        making->bounds.upper = sum(&making->checked, integers[0], integers[1]);
        break;
    case FTH_DATATYPE_DUP:
        making->layout = fth_layout_share(old->layout);
        making->bounds = (struct bounds){.lower = old->tree.lower_bound,
                                         .upper = old->upper_bound,
                                         .any = true,
                                         .given = old->bounded};
        break;
    }
}

/* A structure ends where another one could begin in an array; with Open MPI everything does whose
 * bounds are not given. */
static void pad(struct making *making, const struct fth_mpi_constants *constants)
{
    struct bounds *bounds = &making->bounds;
    bool pads = making->from->form == FTH_DATATYPE_STRUCT || is_abi(constants, "openmpi");
    if (bounds->given || !pads)
        return;
    int64_t extent = difference(&making->checked, bounds->upper, bounds->lower),
            over = extent % making->alignment;
    if (over > 0)
        bounds->upper = sum(&making->checked, bounds->upper, making->alignment - over);
}

static size_t numbers_of(const struct fth_constructor *constructor)
{
    size_t count = constructor->integer_count;
    for (size_t i = 0; i < constructor->list_count; i++)
        count += constructor->lists[i].count;
    return count;
}

/* The arguments stand behind the structure, which is one piece of memory. */
static struct fth_made_datatype *keep_arguments(const struct fth_constructor *from)
{
    size_t numbers = numbers_of(from), parts = from->part_count;
    struct fth_made_datatype *made =
        fth_new(1, sizeof *made + numbers * sizeof(int64_t) + parts * sizeof(void *));
    int64_t *to = (int64_t *)(made + 1);
    const struct fth_datatype **trees = (const struct fth_datatype **)(to + numbers);
    made->references = 1;
    made->tree = (struct fth_datatype){.form = from->form,
                                       .name = from->name,
                                       .integer_count = numbers,
                                       .integers = to,
                                       .part_count = parts,
                                       .parts = trees};
    memcpy(to, from->integers, from->integer_count * sizeof *to);
    to += from->integer_count;
    for (size_t i = 0; i < from->list_count; to += from->lists[i++].count)
        memcpy(to, from->lists[i].numbers, from->lists[i].count * sizeof *to);
    for (size_t i = 0; i < parts; i++)
        trees[i] = &fth_datatype_share(from->parts[i])->tree;
    return made;
}

struct fth_made_datatype *fth_datatype_make(const struct fth_constructor *constructor,
                                            const struct fth_mpi_constants *constants)
{
    struct making making = {.from = constructor, .alignment = 1};
    static struct fth_made_datatype none; /* a structure of nothing has no parts */
    unsigned depth = 0;
    for (size_t i = 0; i < constructor->part_count; i++) {
        if (!constructor->parts[i] || constructor->parts[i]->depth == DEEPEST)
            return NULL;
        if (constructor->parts[i]->depth > depth)
            depth = constructor->parts[i]->depth;
    }
    if (!constructor->part_count && constructor->form != FTH_DATATYPE_STRUCT)
        return NULL;
    making.old = constructor->part_count ? constructor->parts[0] : &none;
    if (constructor->form != FTH_DATATYPE_STRUCT && making.old->alignment > 1)
        making.alignment = making.old->alignment;
    making.bounds.forgets = constructor->form == FTH_DATATYPE_STRUCT && is_abi(constants, "mpich");
    make_by_form(&making, constants);
    pad(&making, constants);
    int64_t extent = difference(&making.checked, making.bounds.upper, making.bounds.lower);
    if (!making.layout || making.checked.failed) {
        fth_layout_drop(making.layout);
        return NULL;
    }
    struct fth_made_datatype *made = keep_arguments(constructor);
    made->tree.size = making.layout->size;
    made->tree.lower_bound = making.bounds.lower;
    made->tree.extent = extent;
    made->tree.true_lower_bound = making.layout->low;
    made->tree.true_upper_bound = making.layout->high;
    made->layout = making.layout;
    made->upper_bound = making.bounds.upper;
    made->alignment = making.alignment;
    made->bounded = making.bounds.given;
    made->depth = depth + 1;
    return made;
}

/* ---- pieces ---- */

size_t fth_datatype_pieces(const struct fth_datatype *type, struct fth_datatype_piece *pieces,
                           size_t most)
{
    const struct fth_layout *layout = ((const struct fth_made_datatype *)type)->layout;
    struct fth_layout_walk walk;
    size_t count = 0;
    int64_t from; /* a walk has no negative places */
    if (__builtin_sub_overflow(0, type->true_lower_bound, &from) ||
        !fth_layout_walk(&walk, layout, from, 0, 0, type->size))
        return 0;
    while (count < most && fth_layout_walk_next(&walk, &pieces[count].at, &pieces[count].length))
        pieces[count++].at -= from;
    return count;
}

/* ---- life ---- */

struct fth_made_datatype *fth_datatype_share(struct fth_made_datatype *type)
{
    if (type)
        type->references++;
    return type;
}

void fth_datatype_drop(struct fth_made_datatype *type)
{
    if (!type || --type->references)
        return;
    fth_layout_drop(type->layout);
    for (size_t i = 0; i < type->tree.part_count; i++)
        fth_datatype_drop((struct fth_made_datatype *)type->tree.parts[i]);
    free(type);
}
