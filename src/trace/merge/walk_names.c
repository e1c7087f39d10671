/* Names of calls: see walk_names.h. */
#include "trace/merge/walk_names.h"

#include "base/memory.h"

enum {
    NAME_PATIENCE =
        /* signatures that the numbers of a name may make at one place; then they become literal */
    32,
};

/* What calls of a kind have in common, as their names are the same texts; and what was kept of
 * these the last time. */
struct fth_kind_names {
    uint32_t count;
    int64_t *numbers; /* of all names */
    int64_t *kept;    /* the last time */
    uint8_t *digits;  /* as in struct fth_name */
    struct known_name {
        uint32_t template, site;
        uint32_t first, count; /* its numbers */
        bool literal;          /* the last time */
    } known[];
};

/* A text that was taken apart, as it is in many kinds of calls. */
struct fth_known_text {
    bool is_known;
    uint32_t template, count;
    size_t first; /* number */
};

const struct fth_template *fth_walk_template(struct fth_walk *walk, uint32_t string)
{
    walk->templates =
        fth_reach(walk->templates, &walk->template_limit, string, sizeof *walk->templates);
    struct fth_template *template = &walk->templates[string];
    size_t length;
    const uint8_t *bytes = fth_interned(&walk->part->strings, string, &length);
    if (!template->bytes)
        fth_template_read(template, bytes, length, &walk->names.places);
    template->bytes = bytes; /* strings move when more come */
    return template;
}

/* ---- taking apart ---- */

static uint32_t site_of(struct fth_walk *walk, uint32_t function, uint32_t value, uint32_t template)
{
    const uint32_t key[] = {function, value, template};
    uint32_t known = walk->sites.count, site = fth_intern(&walk->sites, key, sizeof key);
    if (site == known) {
        FTH_GROW(walk->site_news, known);
        walk->site_news[site] = 0;
    }
    return site;
}

static void split_list(struct fth_walk *walk, uint32_t text, struct fth_kept_name *kept)
{
    size_t length;
    const uint8_t *bytes = fth_interned(&walk->names.texts, text, &length);
    kept->template = fth_part_template(walk->part, bytes, length, true, &kept->name);
}

static void split_text(struct fth_walk *walk, uint32_t text, struct fth_known_text *known)
{
    struct fth_name name;
    size_t length, end;
    const uint8_t *bytes = fth_interned(&walk->names.texts, text, &length);
    known->is_known = true;
    known->template = fth_part_template(walk->part, bytes, length, false, &name);
    known->count = name.count;
    known->first = walk->text_number_count;
    end = walk->text_number_count + name.count;
    for (unsigned i = 0; walk->text_number_count < end; i++) {
        FTH_GROW(walk->text_numbers, walk->text_number_count);
        FTH_GROW(walk->text_digits, walk->text_number_count);
        walk->text_numbers[walk->text_number_count] = name.numbers[i];
        walk->text_digits[walk->text_number_count++] = name.digits[i];
    }
}

static void find_split(struct fth_walk *walk, uint32_t text, struct fth_kept_name *kept)
{
    walk->known_texts =
        fth_reach(walk->known_texts, &walk->known_text_limit, text, sizeof *walk->known_texts);
    struct fth_known_text *known = &walk->known_texts[text];
    if (!known->is_known)
        split_text(walk, text, known);
    kept->template = known->template;
    kept->name.count = known->count;
    if (!known->count)
        return;
    memcpy(kept->name.numbers, walk->text_numbers + known->first,
           known->count * sizeof *kept->name.numbers);
    memcpy(kept->name.digits, walk->text_digits + known->first, known->count);
}

static void take_apart(struct fth_walk *walk, const struct fth_signature *signature, uint32_t value,
                       struct fth_kept_name *kept)
{
    int64_t text = signature->values[value];
    kept->name.count = 0;
    kept->template = kept->site = 0;
    if (text <= 0)
        return;
    if (walk->meanings[signature->function].plan[value].part == FTH_PART_LIST)
        split_list(walk, (uint32_t)text, kept);
    else
        find_split(walk, (uint32_t)text, kept);
    if (kept->name.count && kept->name.count <= FTH_NAME_NUMBERS)
        kept->site = site_of(walk, signature->function, value, kept->template);
}

static struct fth_kind_names *know_names(struct fth_walk *walk,
                                         const struct fth_signature *signature)
{
    const struct fth_meaning *meaning = &walk->meanings[signature->function];
    struct fth_kept_name apart[FTH_MOST_VALUES];
    uint32_t count = (uint32_t)meaning->name_count, numbers = 0;
    for (uint32_t i = 0; i < count; i++) {
        take_apart(walk, signature, meaning->names[i], &apart[i]);
        numbers += apart[i].name.count;
    }
    size_t known = sizeof(struct fth_kind_names) + count * sizeof(struct known_name);
    known = (known + sizeof(int64_t) - 1) / sizeof(int64_t) * sizeof(int64_t);
    struct fth_kind_names *names =
        fth_new(1, known + numbers * (2 * sizeof(int64_t) + sizeof(uint8_t)));
    names->count = count;
    names->numbers = (int64_t *)(void *)((char *)names + known);
    names->kept = names->numbers + numbers;
    names->digits = (uint8_t *)(names->kept + numbers);
    for (uint32_t i = 0, first = 0; i < count; i++) {
        const struct fth_name *name = &apart[i].name;
        names->known[i] = (struct known_name){.template = apart[i].template,
                                              .site = apart[i].site,
                                              .first = first,
                                              .count = name->count};
        memcpy(names->numbers + first, name->numbers, name->count * sizeof *name->numbers);
        memcpy(names->digits + first, name->digits, name->count);
        first += name->count;
    }
    return names;
}

/* ---- what is kept ---- */

void fth_walk_keep_names(struct fth_walk *walk, struct fth_call_kind *kind,
                         struct fth_kept_name *names)
{
    if (!kind->names)
        kind->names = know_names(walk, &kind->signature);
    for (uint32_t i = 0; i < kind->names->count; i++) {
        const struct known_name *known = &kind->names->known[i];
        struct fth_kept_name *kept = &names[i];
        kept->template = known->template;
        kept->site = known->site;
        kept->literal = known->count && known->count <= FTH_NAME_NUMBERS &&
                        (walk->is_rest || walk->site_news[known->site] >= NAME_PATIENCE);
        kept->name.count = known->count;
        if (!known->count)
            continue;
        memcpy(kept->name.numbers, kind->names->numbers + known->first,
               known->count * sizeof *kept->name.numbers);
        memcpy(kept->name.digits, kind->names->digits + known->first, known->count);
        fth_name_pack(&walk->state.last, fth_walk_template(walk, known->template), &kept->name,
                      kept->literal);
    }
}

bool fth_walk_names_are_as_before(struct fth_call_kind *kind, const struct fth_kept_name *names)
{
    bool same = true;
    for (uint32_t i = 0; kind->names && i < kind->names->count; i++) {
        struct known_name *known = &kind->names->known[i];
        int64_t *before = kind->names->kept + known->first;
        size_t bytes = known->count * sizeof *before;
        if (known->literal == names[i].literal &&
            (known->literal || memcmp(before, names[i].name.numbers, bytes) == 0))
            continue;
        same = false;
        known->literal = names[i].literal;
        memcpy(before, names[i].name.numbers, bytes);
    }
    return same;
}
