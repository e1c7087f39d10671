/* How a call of MPI looks from Fortran, and its arguments as C has them.
 *
 * Nothing about Fortran is written in the catalogue, as the standard derives one binding from the
 * other (MPI 4.0, sections 2.5 and 19.1): everything is passed by reference; handles are INTEGERs;
 * a flag is a LOGICAL; the result is a last argument, ierror; the lengths of texts follow behind
 * all arguments; requests are counted from 1. In a wrapper f_NAME is an argument as it came and
 * goes on; NAME is made from it and is what the C function would have been given. From there on the
 * wrapper is that of C (wrapper.c). */
#include "catalog/generate/wrapper_writer.h"

#include <string.h>

/* What C is given for an argument. */
enum view {
    VIEW_NONE,       /* nothing: it is passed on, not looked at */
    VIEW_ZERO,       /* 0: Fortran has no such argument */
    VIEW_SAME,       /* the same address */
    VIEW_VALUE,      /* the integer there */
    VIEW_LOGICAL,    /* 0 or 1 */
    VIEW_HANDLE,     /* the handle */
    VIEW_TEXT,       /* a text that ends in NUL */
    VIEW_STATUS,     /* the same address, or C's MPI_STATUS_IGNORE */
    VIEW_AT_LOGICAL, /* addresses of such */
    VIEW_AT_INDEX,
    VIEW_AT_HANDLE,
    VIEW_LOGICALS, /* arrays of such */
    VIEW_INDICES,
    VIEW_HANDLES,
};

/* ---- which rows ---- */

bool is_fortran_function(const struct fth_row *row)
{
    return row->result.role != FTH_ROLE_CODE;
}

/* Functions without a Fortran binding: those that turn handles and statuses of one language into
 * the other's, and the tools interface. */
static bool is_of_c_only(const struct fth_row *row)
{
    if (strcmp(row->kind, "tool") == 0)
        return true;
    if (is_fortran_function(row) && strcmp(row->result.type, "double") != 0 &&
        strcmp(row->result.type, "MPI_Aint") != 0)
        return true;
    for (size_t i = 0; i < row->field_count; i++)
        if (strstr(row->fields[i].type, "MPI_Fint") ||
            strstr(row->fields[i].type, "MPI_F08_status"))
            return true;
    return false;
}

bool has_fortran(const struct fth_row *row)
{
    return strcmp(row->library, "mpi") == 0 && !(row->flags & FTH_CALL_BY_HAND) &&
           !is_of_c_only(row);
}

/* The command line, which Fortran does not pass. */
static bool is_absent(const struct fth_row *row, size_t i)
{
    return strcmp(row->fields[i].name, "argc") == 0 ||
           (i > 0 && strcmp(row->fields[i - 1].name, "argc") == 0);
}

static bool is_text(const struct fth_field *field)
{
    return strstr(field->type, "char") != NULL;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* The parameters that are LOGICAL in Fortran. `remain_dims` is kept as it is, what is not 0 is
 * true: its length is not known yet. */
static bool is_logical(const struct fth_field *field)
{
    static const char *const names[] = {"flag",    "commute",  "high", "reorder",
                                        "periods", "weighted", NULL};
    return is_one_of(field->name, names);
}

static bool is_completion(const struct fth_row *row)
{
    return strcmp(row->kind, "wait") == 0 || strcmp(row->kind, "test") == 0;
}

/* MPI-1 had addresses as INTEGER, and so have the functions of that time that were replaced for
 * it. */
static bool has_narrow_addresses(const struct fth_row *row)
{
    static const char *const names[] = {
        "MPI_Address",     "MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct",
        "MPI_Type_extent", "MPI_Type_lb",      "MPI_Type_ub",       NULL};
    return is_one_of(row->name, names);
}

/* The type of an integer, without const and without what makes it a pointer. */
static const char *integer_type(const struct fth_row *row, const struct fth_field *field)
{
    static const char *const wide[] = {"MPI_Aint", "MPI_Count", "MPI_Offset"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strstr(field->type, wide[i]))
            return i == 0 && has_narrow_addresses(row) ? "int" : wide[i];
    return "int";
}

static bool is_length(const struct fth_row *row, size_t index)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].length_field == (int)index)
            return true;
    return strcmp(row->fields[index].name, "outcount") == 0;
}

static bool is_kept(const struct writer *writer, size_t index)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int count = fth_plan_values(writer->catalog, writer->row, plan);
    for (int i = 0; i < count; i++)
        if (plan[i].field == (int)index)
            return true;
    return is_length(writer->row, index);
}

static enum view view_of_pointer(const struct fth_row *row, const struct fth_field *field)
{
    bool array = fth_field_has_length(field);
    if (field->role == FTH_ROLE_STATUS)
        return VIEW_STATUS;
    if (is_text(field))
        return VIEW_TEXT;
    if (field->class_index >= 0)
        return array ? VIEW_HANDLES : VIEW_AT_HANDLE;
    if (is_logical(field))
        return array ? VIEW_LOGICALS : VIEW_AT_LOGICAL;
    if (is_completion(row) && strcmp(field->name, "index") == 0)
        return VIEW_AT_INDEX;
    return strcmp(field->name, "array_of_indices") == 0 ? VIEW_INDICES : VIEW_SAME;
}

static enum view view_of(const struct writer *writer, size_t index)
{
    const struct fth_field *field = &writer->row->fields[index];
    if (!is_kept(writer, index))
        return VIEW_NONE;
    if (is_absent(writer->row, index))
        return VIEW_ZERO;
    if (is_pointer(field))
        return view_of_pointer(writer->row, field);
    if (field->class_index >= 0)
        return VIEW_HANDLE;
    return is_logical(field) ? VIEW_LOGICAL : VIEW_VALUE;
}

/* ---- before and after ---- */

static void begin_view(struct writer *writer, const struct fth_field *field, enum view view)
{
    const char *name = field->name, *type = integer_type(writer->row, field);
    const char *class =
        field->class_index >= 0 ? writer->catalog->classes[field->class_index].name : "";
    switch (view) {
    case VIEW_NONE:
        break;
    case VIEW_ZERO:
        line(writer, "int %s = 0;", name);
        break;
    case VIEW_SAME:
        line(writer, "%s *%s = f_%s;", type, name, name);
        break;
    case VIEW_VALUE:
        line(writer, "%s %s = *(const %s *)f_%s;", type, name, type, name);
        break;
    case VIEW_LOGICAL:
        line(writer, "int %s = *(const int *)f_%s != 0;", name, name);
        break;
    case VIEW_HANDLE:
        line(writer, "void *%s = fth_fortran_handle(FTH_CLASS_%s, f_%s);", name, class, name);
        break;
    case VIEW_TEXT:
        line(writer, "struct fth_fortran_text own_%s;", name);
        line(writer, "const char *%s = fth_fortran_text(&own_%s, f_%s, length_of_%s);", name, name,
             name, name);
        break;
    case VIEW_STATUS:
        line(writer, "MPI_Status *%s = fth_fortran_status(f_%s);", name, name);
        break;
    case VIEW_AT_LOGICAL:
    case VIEW_AT_INDEX:
        line(writer, "int own_%s = 0, *%s = &own_%s;", name, name, name);
        break;
    case VIEW_AT_HANDLE:
        line(writer, "uint64_t own_%s = 0;", name);
        line(writer, "void *%s = &own_%s;", name, name);
        break;
    case VIEW_LOGICALS:
    case VIEW_INDICES:
        line(writer, "struct fth_fortran_integers own_%s;", name);
        line(writer, "int *%s = own_%s.list;", name, name);
        break;
    case VIEW_HANDLES:
        line(writer, "struct fth_fortran_handles own_%s;", name);
        line(writer, "void *%s = own_%s.list;", name, name);
        break;
    }
}

/* They are of requests, and which ones have been done shows how they are counted. */
static void load_indices(struct writer *writer, const char *name, const char *to, const char *n)
{
    const char *requests = "";
    for (size_t i = 0; i < writer->row->field_count; i++)
        if (is_used(&writer->row->fields[i]) && fth_field_has_length(&writer->row->fields[i]))
            requests = writer->row->fields[i].name;
    line(writer, "fth_fortran_indices(%s, f_%s, %s, &saved_%s, %s);", to, name, n, requests,
         requests);
}

/* Brings what is ours up to date with what is theirs. */
static void load_view(struct writer *writer, const struct fth_field *field, enum view view,
                      bool after)
{
    const char *name = field->name, *n;
    const char *class =
        field->class_index >= 0 ? writer->catalog->classes[field->class_index].name : "";
    char length[64] = "0";
    n = !fth_field_has_length(field)           ? ""
        : after && field->role == FTH_ROLE_OUT ? filled_length(writer, field, length, sizeof length)
                                               : length_of(writer, field, length, sizeof length);
    switch (view) {
    case VIEW_AT_LOGICAL:
        line(writer, "own_%s = *(const int *)f_%s != 0;", name, name);
        break;
    case VIEW_AT_INDEX:
        load_indices(writer, name, "&own_index", "1");
        break;
    case VIEW_AT_HANDLE:
        line(writer, "own_%s = (uintptr_t)fth_fortran_handle(FTH_CLASS_%s, f_%s);", name, class,
             name);
        break;
    case VIEW_LOGICALS:
        line(writer, "fth_fortran_logicals(&own_%s, f_%s, %s);", name, name, n);
        break;
    case VIEW_INDICES:
        load_indices(writer, name, name, n);
        break;
    case VIEW_HANDLES:
        line(writer, "fth_fortran_handles(&own_%s, FTH_CLASS_%s, f_%s, %s);", name, class, name, n);
        break;
    default:
        break;
    }
}

/* Lengths come after the arrays that they are the lengths of, or before: all integers first. */
void write_fortran_before(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    line(writer, "fth_is_fortran(&call);");
    for (size_t i = 0; i < row->field_count; i++)
        begin_view(writer, &row->fields[i], view_of(writer, i));
    for (size_t i = 0; i < row->field_count; i++)
        if (is_used(&row->fields[i]) || row->fields[i].role == FTH_ROLE_IN)
            load_view(writer, &row->fields[i], view_of(writer, i), false);
}

void write_fortran_after(struct writer *writer)
{
    const struct fth_row *row = writer->row;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role == FTH_ROLE_NEW || field->role == FTH_ROLE_OUT ||
            (field->role == FTH_ROLE_CLOSE && gives_up_later(writer)))
            load_view(writer, field, view_of(writer, i), true);
    }
}

/* ---- the call ---- */

/* MPI_Pcontrol has no ierror in mpif.h and one in mpi_f08: what came in its place goes on. */
bool has_ierror(const struct fth_row *row)
{
    return !is_fortran_function(row) && !(row->flags & FTH_CALL_VARIADIC);
}

const char *fortran_result(const struct fth_row *row)
{
    return has_ierror(row) ? "*(const int *)ierror" : "0";
}

struct list {
    FILE *out;
    const struct fth_row *row;
    enum writing writing;
    bool begun;
};

static void write_item(struct list *list, const char *type, const char *prefix, const char *name)
{
    fprintf(list->out, "%s%s", list->begun ? ", " : "", list->writing <= PARAMETERS ? type : "");
    if (list->writing != TYPES)
        fprintf(list->out, "%s%s", prefix, name);
    list->begun = true;
}

void write_fortran_list(FILE *out, const struct fth_row *row, enum writing writing, bool begun)
{
    struct list list = {out, row, writing, begun};
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        bool own = writing == RECORDED_CALL && field->role == FTH_ROLE_STATUS;
        if (!is_absent(row, i) && !field->optional)
            write_item(&list, "void *", own ? "status_or_own_" : "f_", field->name);
    }
    if (!is_fortran_function(row))
        write_item(&list, "void *", writing >= CALL && has_ierror(row) ? "" : "f_", "ierror");
    for (size_t i = 0; i < row->field_count; i++)
        if (is_text(&row->fields[i]) && !is_absent(row, i))
            write_item(&list, "size_t ", "length_of_", row->fields[i].name);
    if (!list.begun && writing <= PARAMETERS)
        fputs("void", out);
}

void write_fortran_call(struct writer *writer, bool recorded)
{
    bool around = has_flag(writer, FTH_CALL_AROUND);
    if (around)
        fprintf(writer->out, "fth_around_fortran_%s(real", writer->row->name);
    else
        fputs("real(", writer->out);
    write_fortran_list(writer->out, writer->row, recorded ? RECORDED_CALL : CALL, around);
    fputs(")", writer->out);
}
