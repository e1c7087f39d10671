/* Pseudonyms for names. A part of a path becomes n1, n2 ... A number in it stays if the program
 * counts it: if a statement, somewhere in the program, makes it another one from one call or rank
 * to the next. All other digits are hidden with the part that they are in. */
#include "proxy/writing.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* What says that a number of a part is counted: the part, and which of its numbers. */
static char *key_of(const char *part, size_t length, size_t number)
{
    return fth_text_format("%zu %.*s", number, (int)length, part);
}

static void count_number(struct fth_writing *writing, const char *text, size_t number)
{
    for (size_t before = 0; *text;) {
        size_t length = strcspn(text, "/"), own = 0;
        for (size_t i = 0; i < length; i++)
            own += text[i] == 1;
        if (number < before + own) {
            char *key = key_of(text, length, number - before);
            fth_intern(&writing->counting, key, strlen(key));
            free(key);
            return;
        }
        before += own;
        text += length;
        text += *text == '/';
    }
}

/* Is it another number in other calls of the statement, or of another process? */
static bool is_counted(const struct fth_body *body, uint32_t statement, uint32_t number)
{
    const int64_t *first = NULL;
    for (size_t m = 0; m < body->member_count; m++) {
        const struct fth_statement *of = &fth_body_sequence(body, m)->statements[statement];
        if (!of->first)
            continue;
        if (of->varies[number] || (first && first[number] != of->first[number]))
            return true;
        first = of->first;
    }
    return false;
}

void fth_proxy_find_counting(struct fth_writing *writing, const struct fth_body *body)
{
    uint32_t statements = fth_body_sequence(body, 0)->symbols.count;
    for (uint32_t s = 0; s < statements; s++) {
        const struct fth_form *form = &fth_body_form(body, s)->form;
        for (size_t i = 0; i < form->row->field_count; i++) {
            const struct fth_argument *argument = &form->arguments[i];
            if (argument->written != FTH_WRITTEN_NAME || !argument->text)
                continue;
            for (uint32_t k = 0; k < argument->count; k++)
                if (is_counted(body, s, argument->first + k))
                    count_number(writing, argument->text, k);
        }
    }
}

/* Puts a part; `number` is that of its first number in the name. */
static void put_part(struct fth_writing *writing, const struct fth_secret_name *name,
                     const char *part, size_t length, size_t number, struct fth_growing_text *made,
                     size_t *kept, size_t *kept_count)
{
    struct fth_growing_text hidden;
    size_t own = 0, before = *kept_count;
    fth_growing_text_open(&hidden);
    for (size_t i = 0; i < length; i++) {
        if (part[i] != 1) {
            fputc(part[i], hidden.file);
            continue;
        }
        size_t which = number + own;
        char *key = key_of(part, length, own++);
        if (fth_interned_before(&writing->counting, key, strlen(key))) {
            fputc(1, hidden.file);
            kept[(*kept_count)++] = which;
        } else {
            fprintf(hidden.file, "%0*" PRId64, (int)name->widths[which], name->numbers[which]);
        }
        free(key);
    }
    fth_growing_text_end(&hidden);
    fprintf(made->file, "n%u",
            (unsigned)fth_intern(&writing->anonymous, hidden.text, strlen(hidden.text)) + 1);
    for (size_t i = before; i < *kept_count; i++)
        fprintf(made->file, "_%c", 1);
    free(hidden.text);
}

char *fth_proxy_write_anonymous(struct fth_writing *writing, const struct fth_secret_name *name,
                                size_t kept[static 8])
{
    struct fth_growing_text made;
    size_t number = 0, kept_count = 0;
    fth_growing_text_open(&made);
    for (const char *text = name->text; *text;) {
        size_t length = strcspn(text, "/");
        /* What begins so in a file of NetCDF has a meaning: _FillValue. */
        bool stays = !length || (length == 1 && *text == '.') || (*text == '_' && !name->is_path);
        if (stays)
            fprintf(made.file, "%.*s", (int)length, text);
        else
            put_part(writing, name, text, length, number, &made, kept, &kept_count);
        for (size_t i = 0; i < length; i++) {
            if (text[i] == 1 && stays)
                kept[kept_count++] = number;
            number += text[i] == 1;
        }
        text += length;
        if (*text)
            fputc(*text++, made.file);
    }
    fth_growing_text_end(&made);
    return made.text;
}
