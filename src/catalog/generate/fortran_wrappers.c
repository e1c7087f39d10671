/* The wrappers of a row of MPI that are bound to its symbols of Fortran.
 *
 * A row has up to three wrappers, one for each function of the library: that of mpif.h and `use
 * mpi`; that of `use mpi_f08`, and the one with a TYPE(C_PTR). The body is the same: derived types
 * of one INTEGER, and descriptors of buffers, are passed by reference like anything else. */
#include "catalog/generate/wrapper_writer.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 128 };

/* Only mpi_f08 has functions with large counts. They are named as the others, but for a suffix. */
static bool is_large(const struct fth_catalog *catalog, const struct fth_row *row)
{
    char name[LONGEST_NAME];
    size_t length = strlen(row->name);
    if (length < 2 || strcmp(row->name + length - 2, "_c") != 0)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length - 2, row->name);
    return fth_catalog_find(catalog, name) != NULL;
}

/* A function that makes memory has a variant in `use mpi` that takes a TYPE(C_PTR). */
static bool has_cptr_variant(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (strcmp(row->fields[i].name, "baseptr") == 0)
            return true;
    return false;
}

/* ---- arguments ---- */

/* One function of a library. */
struct variant {
    const char *name;
    const char *const *suffixes; /* of its symbols */
    bool in_capitals;            /* one symbol more */
};

static const char *const plain[] = {"", "_", "__", NULL};
static const char *const cptr_endings[] = {"_cptr", "_cptr_", "_cptr__", NULL};
/* Open MPI, MPICH, and MPICH where a buffer is a descriptor. */
static const char *const f08[] = {"_f08_", "_f08ts_", NULL};
static const char *const large_f08[] = {"_f08_c_", "_f08_large_", "_f08ts_large_", NULL};

enum { MOST_VARIANTS = 3 };

static int variants_of(const struct fth_catalog *catalog, const struct fth_row *row,
                       struct variant variants[MOST_VARIANTS])
{
    int count = 0;
    if (is_large(catalog, row)) {
        variants[count++] = (struct variant){"f08", large_f08, false};
        return count;
    }
    variants[count++] = (struct variant){"f", plain, true};
    variants[count++] = (struct variant){"f08", f08, false};
    if (has_cptr_variant(row))
        variants[count++] = (struct variant){"cptr", cptr_endings, true};
    return count;
}

static const char *returned(const struct fth_row *row)
{
    return is_fortran_function(row) ? row->result.type : "void";
}

static void write_variant(FILE *out, const struct fth_row *row, const char *variant)
{
    fprintf(out, "static in_fortran_%s *real_%s_%s;\nstatic %s wrap_%s_%s(", row->name, variant,
            row->name, returned(row), variant, row->name);
    write_fortran_list(out, row, PARAMETERS, false);
    fprintf(out, ")\n{\n    %srecord_%s(real_%s_%s", is_fortran_function(row) ? "return " : "",
            row->name, variant, row->name);
    write_fortran_list(out, row, FORWARDED, true);
    fputs(");\n}\n", out);
}

void write_fortran_wrappers(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row)
{
    struct writer writer = {out, catalog, row, true, true, false};
    struct variant variants[MOST_VARIANTS];
    fprintf(out, "\n/* %s:%d */\ntypedef %s in_fortran_%s(", row->file, row->line, returned(row),
            row->name);
    write_fortran_list(out, row, TYPES, false);
    fprintf(out, ");\nstatic __attribute__((noinline)) %s record_%s(in_fortran_%s *real",
            returned(row), row->name, row->name);
    write_fortran_list(out, row, PARAMETERS, true);
    fputs(")\n{\n", out);
    if (has_ierror(row)) {
        /* Of two integers: INTEGER may have been made wider. */
        line(&writer, "int own_ierror[2] = {0};");
        line(&writer,
             "void *ierror = f_ierror ? f_ierror : own_ierror; /* it is optional in mpi_f08 */");
    }
    write_body(&writer);
    int count = variants_of(catalog, row, variants);
    for (int i = 0; i < count; i++)
        write_variant(out, row, variants[i].name);
}

/* MPI_Send_c -> mpi_send. */
static void base_name(const struct fth_catalog *catalog, const struct fth_row *row,
                      char name[LONGEST_NAME])
{
    size_t length = strlen(row->name) - (is_large(catalog, row) ? 2 : 0);
    for (size_t i = 0; i < length; i++)
        name[i] = (char)tolower(row->name[i]);
    name[length] = 0;
}

static void write_name(FILE *out, const struct fth_row *row, const char *variant, const char *base,
                       const char *suffix, bool in_capitals)
{
    char name[2 * LONGEST_NAME];
    snprintf(name, sizeof name, "%s%s", base, suffix);
    for (char *at = name; *at && in_capitals; at++)
        *at = (char)toupper(*at);
    fprintf(out, "    {\"%s\", (void *)wrap_%s_%s, (void **)&real_%s_%s, NULL},\n", name, variant,
            row->name, variant, row->name);
}

void write_fortran_names(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row)
{
    struct variant variants[MOST_VARIANTS];
    char base[LONGEST_NAME];
    int count = variants_of(catalog, row, variants);
    base_name(catalog, row, base);
    for (int i = 0; i < count; i++) {
        const struct variant *variant = &variants[i];
        for (const char *const *suffix = variant->suffixes; *suffix; suffix++)
            write_name(out, row, variant->name, base, *suffix, false);
        if (variant->in_capitals)
            write_name(out, row, variant->name, base, variant->suffixes[0], true);
    }
}
