/* Which box of a variable each process accesses, from the formulas of its hints. */
#include "base/memory.h"
#include "gen/choose/pattern.h"

#include <string.h>

enum { MOST_PROCESSES = 4096 };

int64_t fth_gen_processes(const struct fth_gen_model *model, uint32_t file)
{
    int64_t processes = model->processes ? model->processes : model->files[file].least_processes;
    return processes > MOST_PROCESSES ? MOST_PROCESSES : processes;
}

/* What is being computed. */
struct computing {
    struct fth_gen_model *model;
    const struct fth_gen_access *access;
    int64_t rank;
    const char **unknown;
    bool of_record; /* the slowest dimension does not count: start 0, count 1 */
};

static bool value_of(const struct computing *computing, const struct fth_gen_number *number,
                     int64_t *value)
{
    return fth_gen_number_value(computing->model, computing->access->file, number, computing->rank,
                                value, computing->unknown);
}

static bool of_piece(const struct computing *computing, const struct fth_gen_piece *piece)
{
    int64_t first, last;
    return piece->all || (value_of(computing, &piece->first, &first) &&
                          value_of(computing, &piece->last, &last) && computing->rank >= first &&
                          computing->rank <= last);
}

/* Where the process is in the grid, added to the starts of its box; false: not known. */
static bool add_grid(const struct computing *computing, struct fth_gen_box *box, uint32_t count,
                     bool *inside)
{
    int64_t rest = computing->rank;
    /* Row-major: the last dimension of the hint is that of neighbouring ranks. */
    for (uint32_t i = count; i-- > 0;) {
        int64_t processes, stride, moved;
        if (!value_of(computing, &computing->access->grid[i], &processes) ||
            !value_of(computing, &computing->access->stride[i], &stride) || processes < 1)
            return false;
        if (__builtin_mul_overflow(rest % processes, stride, &moved) ||
            __builtin_add_overflow(box->start[i], moved, &box->start[i]))
            return false;
        rest /= processes;
    }
    *inside = rest == 0;
    return true;
}

/* Fortran counts from 1, the fastest dimension first. */
static void reverse(struct fth_gen_box *box, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        box->start[i]--;
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t other = count - 1 - i;
        int64_t start = box->start[i], length = box->count[i];
        box->start[i] = box->start[other];
        box->count[i] = box->count[other];
        box->start[other] = start;
        box->count[other] = length;
    }
}

static bool box_of(const struct computing *computing, const struct fth_gen_piece *piece,
                   struct fth_gen_box *box, bool *inside)
{
    const struct fth_gen_variable *variable =
        &computing->model->variables[computing->access->variable];
    uint32_t count = variable->dimension_count;
    *inside = true;
    box->rank = computing->rank;
    box->place = piece->start && count ? piece->start[0].place : computing->access->place;
    bool fortran = computing->model->language == FTH_GEN_FORTRAN;
    for (uint32_t i = 0; i < count; i++) {
        box->start[i] = fortran;
        box->count[i] = 1;
        if (computing->of_record && i == (fortran ? count - 1 : 0))
            continue;
        if (!value_of(computing, &piece->start[i], &box->start[i]) ||
            !value_of(computing, &piece->count[i], &box->count[i]))
            return false;
    }
    if (computing->access->grid && !add_grid(computing, box, count, inside))
        return false;
    for (uint32_t i = 0; i < count; i++)
        *inside &= box->count[i] != 0;
    if (fortran)
        reverse(box, count);
    return true;
}

static bool find_boxes(struct fth_gen_model *model, const struct fth_gen_access *access,
                       int64_t processes, bool of_record, struct fth_gen_box **boxes, size_t *count,
                       const char **unknown)
{
    struct computing computing = {model, access, 0, unknown, of_record};
    *count = 0;
    *boxes = fth_new((size_t)processes * access->piece_count + 1, sizeof **boxes);
    for (; computing.rank < processes; computing.rank++)
        for (uint32_t i = 0; i < access->piece_count; i++) {
            bool inside;
            if (!of_piece(&computing, &access->pieces[i]))
                continue;
            if (!box_of(&computing, &access->pieces[i], &(*boxes)[*count], &inside))
                return false;
            *count += inside;
        }
    return true;
}

bool fth_gen_boxes(struct fth_gen_model *model, const struct fth_gen_access *access,
                   int64_t processes, struct fth_gen_box **boxes, size_t *count,
                   const char **unknown)
{
    return find_boxes(model, access, processes, false, boxes, count, unknown);
}

bool fth_gen_record_boxes(struct fth_gen_model *model, const struct fth_gen_access *access,
                          int64_t processes, struct fth_gen_box **boxes, size_t *count,
                          const char **unknown)
{
    return find_boxes(model, access, processes, true, boxes, count, unknown);
}
