/* What all processes access together: runs, whether these interleave, and what they leave out. */
#include "gen/choose/pattern.h"

#include "base/growing_text.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static char *indices_of(const struct fth_gen_model *model, const struct fth_gen_box *box,
                        uint32_t count)
{
    struct fth_growing_text text;
    bool fortran = model->language == FTH_GEN_FORTRAN;
    fth_growing_text_open(&text);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = fortran ? count - 1 - i : i;
        long long first = (long long)box->start[at] + fortran;
        fprintf(text.file, "%s%lld", i ? ", " : "", first);
        if (box->count[at] != 1)
            fprintf(text.file, "..%lld", first + (long long)box->count[at] - 1);
    }
    fth_growing_text_end(&text);
    return text.text;
}

static int check_inside(const struct fth_gen_model *model, const struct fth_gen_variable *variable,
                        const struct fth_gen_box *box, struct fth_error **error)
{
    for (uint32_t i = 0; i < variable->dimension_count; i++) {
        const struct fth_gen_dimension *dimension =
            &model->dimensions[fth_gen_dimension_at(model, variable, i)];
        int64_t end;
        bool overflows = __builtin_add_overflow(box->start[i], box->count[i], &end);
        if (!overflows && box->start[i] >= 0 && box->count[i] >= 0 &&
            (!dimension->known || end <= dimension->value))
            continue;
        bool fortran = model->language == FTH_GEN_FORTRAN;
        if (overflows || box->count[i] < 0 || dimension->unlimited || !dimension->known)
            return fth_hints_fail(model->hints, box->place, error,
                                  "rank %lld accesses %lld elements from %lld on in dimension '%s' "
                                  "of '%s': correct its start and count",
                                  (long long)box->rank, (long long)box->count[i],
                                  (long long)box->start[i], dimension->name, variable->name);
        return fth_hints_fail(model->hints, box->place, error,
                              "rank %lld accesses %lld..%lld of dimension '%s' of '%s', which goes "
                              "from %d to %lld: correct its start and count, or the dimension",
                              (long long)box->rank, (long long)box->start[i] + fortran,
                              (long long)end - 1 + fortran, dimension->name, variable->name,
                              fortran, (long long)dimension->value - 1 + fortran);
    }
    return 0;
}

/* In bytes of the variable, where its dimensions are known but for the slowest one. */
struct span {
    uint64_t begin, end, runs, run_bytes, bytes;
};

static bool lengths_of(const struct fth_gen_model *model, const struct fth_gen_variable *variable,
                       int64_t lengths[static FTH_GEN_MOST_DIMENSIONS], const char **unknown)
{
    for (uint32_t i = 0; i < variable->dimension_count; i++) {
        const struct fth_gen_dimension *dimension =
            &model->dimensions[fth_gen_dimension_at(model, variable, i)];
        lengths[i] = dimension->known ? dimension->value : 0;
        *unknown = dimension->length.text;
        if (!dimension->known && i)
            return false;
    }
    return true;
}

static bool multiply(uint64_t *value, uint64_t by)
{
    return !__builtin_mul_overflow(*value, by, value) && *value <= INT64_MAX;
}

/* false: it does not fit into 63 bits. */
static bool span_of(const struct fth_gen_box *box, const int64_t *lengths, uint32_t count,
                    unsigned item, struct span *span)
{
    uint64_t begin = 0, last = 0, step = item;
    bool whole = true, fits = true;
    *span = (struct span){.run_bytes = item, .runs = 1, .bytes = item};
    for (uint32_t i = count; i-- > 0 && fits;) {
        uint64_t from = (uint64_t)box->start[i], length = (uint64_t)box->count[i];
        uint64_t a = from, b = from + length - 1;
        fits = multiply(&a, step) && multiply(&b, step) && multiply(&span->bytes, length);
        begin += a;
        last += b;
        if (whole)
            fits &= multiply(&span->run_bytes, length);
        else
            fits &= multiply(&span->runs, length);
        whole &= lengths[i] && length == (uint64_t)lengths[i];
        fits &= !i || multiply(&step, (uint64_t)lengths[i]);
    }
    span->begin = begin;
    span->end = last + item;
    return fits && span->end <= INT64_MAX && span->begin <= span->end;
}

static int by_begin(const void *one, const void *other)
{
    const struct span *a = one, *b = other;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void add_up(struct fth_gen_pattern *pattern, struct span *spans, size_t count)
{
    uint64_t end = 0;
    pattern->least_bytes = UINT64_MAX;
    pattern->run_bytes = UINT64_MAX;
    qsort(spans, count, sizeof *spans, by_begin);
    for (size_t i = 0; i < count; i++) {
        const struct span *span = &spans[i];
        pattern->bytes += span->bytes;
        pattern->most_bytes = span->bytes > pattern->most_bytes ? span->bytes : pattern->most_bytes;
        pattern->least_bytes =
            span->bytes < pattern->least_bytes ? span->bytes : pattern->least_bytes;
        pattern->runs = span->runs > pattern->runs ? span->runs : pattern->runs;
        pattern->run_bytes =
            span->run_bytes < pattern->run_bytes ? span->run_bytes : pattern->run_bytes;
        pattern->interleaved |= i && span->begin < end;
        end = span->end > end ? span->end : end;
    }
    pattern->accessing = (int64_t)count;
    pattern->span = count ? end - spans[0].begin : 0;
    pattern->fills = pattern->bytes == pattern->span;
}

/* A box of the array in memory is contiguous if all but its slowest dimensions are whole. */
static bool memory_is_contiguous(struct fth_gen_model *model, const struct fth_gen_access *access,
                                 const struct fth_gen_box *box)
{
    uint32_t dimensions = model->variables[access->variable].dimension_count;
    bool whole = true, fortran = model->language == FTH_GEN_FORTRAN;
    for (uint32_t i = access->memory_count; i-- > 0;) {
        const struct fth_gen_number *number =
            &access->memory[fortran ? access->memory_count - 1 - i : i];
        int64_t length, count = i < dimensions ? box->count[i] : 1;
        const char *unknown;
        if (fortran) /* the fastest dimensions of both are the first of their hints */
            count = i >= access->memory_count - dimensions
                        ? box->count[i - (access->memory_count - dimensions)]
                        : 1;
        bool known =
            fth_gen_number_value(model, access->file, number, box->rank, &length, &unknown);
        if (!whole && count != 1)
            return false;
        whole &= known && count == length;
    }
    return true;
}

static void not_known(struct fth_gen_pattern *pattern, const char *why)
{
    pattern->known = false;
    pattern->unknown = fth_text_copy(why);
}

int fth_gen_pattern_find(struct fth_gen_model *model, const struct fth_gen_access *access,
                         struct fth_gen_pattern *pattern, struct fth_error **error)
{
    const struct fth_gen_variable *variable = &model->variables[access->variable];
    int64_t lengths[FTH_GEN_MOST_DIMENSIONS] = {0};
    const char *unknown = "";
    struct fth_gen_box *boxes = NULL;
    size_t count = 0;
    *pattern = (struct fth_gen_pattern){.known = true, .memory_contiguous = true};
    pattern->processes = fth_gen_processes(model, access->file);
    if (!pattern->processes) {
        not_known(pattern, "the number of processes");
        return 0;
    }
    bool known = fth_gen_boxes(model, access, pattern->processes, &boxes, &count, &unknown) &&
                 lengths_of(model, variable, lengths, &unknown);
    int result = 0;
    struct span *spans = fth_new(count + 1, sizeof *spans);
    for (size_t i = 0; i < count && known && !result; i++) {
        result = check_inside(model, variable, &boxes[i], error);
        if (!result && !span_of(&boxes[i], lengths, variable->dimension_count,
                                fth_gen_bytes_of(variable), &spans[i])) {
            known = false;
            unknown = "an offset beyond 2^63";
        }
    }
    if (!known)
        not_known(pattern, unknown);
    else if (!result)
        add_up(pattern, spans, count);
    for (size_t i = 0; i < count && known && access->memory; i++)
        pattern->memory_contiguous &= memory_is_contiguous(model, access, &boxes[i]);
    free(spans);
    free(boxes);
    return result;
}

void fth_gen_pattern_free(struct fth_gen_pattern *pattern)
{
    free(pattern->unknown);
}

/* ---- overlaps ---- */

struct sorted {
    const struct fth_gen_box *box;
    uint32_t by; /* dimension */
};

static int by_start(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;
    int64_t left = a->box->start[a->by], right = b->box->start[b->by];
    return left < right ? -1 : left > right;
}

static bool overlap(const struct fth_gen_box *one, const struct fth_gen_box *other, uint32_t count,
                    struct fth_gen_box *both)
{
    for (uint32_t i = 0; i < count; i++) {
        int64_t begin = one->start[i] > other->start[i] ? one->start[i] : other->start[i];
        int64_t end = one->start[i] + one->count[i];
        int64_t other_end = other->start[i] + other->count[i];
        end = end < other_end ? end : other_end;
        if (begin >= end)
            return false;
        both->start[i] = begin;
        both->count[i] = end - begin;
    }
    return true;
}

/* The dimension by which most boxes are apart: pairs that overlap in it are few. */
static uint32_t best_dimension(const struct fth_gen_box *boxes, size_t count, uint32_t dimensions)
{
    uint32_t best = 0;
    size_t most = 0;
    for (uint32_t i = 0; i < dimensions; i++) {
        size_t differ = 0;
        for (size_t j = 1; j < count; j++)
            differ += boxes[j].start[i] != boxes[j - 1].start[i];
        if (differ > most) {
            most = differ;
            best = i;
        }
    }
    return best;
}

static int complain(const struct fth_gen_model *model, const struct fth_gen_variable *variable,
                    const struct fth_gen_box *one, const struct fth_gen_box *other,
                    const struct fth_gen_box *both, struct fth_error **error)
{
    char *indices = indices_of(model, both, variable->dimension_count);
    const struct fth_gen_box *first = one->rank < other->rank ? one : other;
    const struct fth_gen_box *second = first == one ? other : one;
    fth_hints_fail(model->hints, second->place, error,
                   "ranks %lld and %lld both write '%s'[%s]: correct their starts and counts, so "
                   "that each element has one writer",
                   (long long)first->rank, (long long)second->rank, variable->name, indices);
    free(indices);
    return -1;
}

static int check_boxes(const struct fth_gen_model *model, const struct fth_gen_variable *variable,
                       const struct fth_gen_box *boxes, size_t count, struct fth_error **error)
{
    uint32_t by = best_dimension(boxes, count, variable->dimension_count);
    struct sorted *sorted = fth_new(count + 1, sizeof *sorted);
    struct fth_gen_box both;
    int result = 0;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct sorted){&boxes[i], by};
    if (variable->dimension_count)
        qsort(sorted, count, sizeof *sorted, by_start);
    for (size_t i = 0; i < count && !result; i++)
        for (size_t j = i + 1; j < count && !result; j++) {
            const struct fth_gen_box *one = sorted[i].box, *other = sorted[j].box;
            if (variable->dimension_count && other->start[by] >= one->start[by] + one->count[by])
                break;
            if (one->rank != other->rank && overlap(one, other, variable->dimension_count, &both))
                result = complain(model, variable, one, other, &both, error);
        }
    free(sorted);
    return result;
}

/* All boxes of one variable in the set, from its access `first` on. */
static int check_variable(struct fth_gen_model *model, const struct fth_gen_set *set,
                          uint32_t first, struct fth_error **error)
{
    uint32_t variable = model->accesses[first].variable;
    struct fth_gen_box *all = NULL;
    size_t used = 0;
    for (uint32_t i = first; i < set->first + set->count; i++) {
        const struct fth_gen_access *access = &model->accesses[i];
        struct fth_gen_box *boxes;
        size_t count;
        const char *unknown;
        if (access->variable != variable)
            continue;
        if (fth_gen_boxes(model, access, fth_gen_processes(model, access->file), &boxes, &count,
                          &unknown) &&
            count) {
            all = fth_resize(all, used + count, sizeof *all);
            memcpy(all + used, boxes, count * sizeof *all);
            used += count;
        }
        free(boxes);
    }
    int result = check_boxes(model, &model->variables[variable], all, used, error);
    free(all);
    return result;
}

int fth_gen_overlap_check(struct fth_gen_model *model, const struct fth_gen_set *set,
                          struct fth_error **error)
{
    bool *seen = fth_new(model->variable_count + 1, sizeof *seen);
    int result = 0;
    for (uint32_t i = set->first; i < set->first + set->count && !result; i++) {
        uint32_t variable = model->accesses[i].variable;
        if (!seen[variable])
            result = check_variable(model, set, i, error);
        seen[variable] = true;
    }
    free(seen);
    return result;
}
