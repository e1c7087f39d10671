/* The parser of the catalogue: what each part of a row becomes, what each mistake is called and
 * where it is found, that the text of a row gives the same row again, and that the catalogue of
 * this project is free of mistakes. */
#include "catalog/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parsed.h"

/* One line, so that errors in the text behind it are on line 2. */
#define HEAD "layer posix\n"
#define CLASSES                                                                                    \
    "layer posix\nclass fd file\nclass comm object\nclass request anonymous\n"                     \
    "flags open 1=O_WRONLY 0x40=O_CREAT\n"

/* ---- Rows ---- */

static void a_row_has_all_its_parts(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog,
          "library libc\nlayer posix\nclass fd file\nflags open 1=O_WRONLY\n\n"
          "open int open(const char *path: path, int how: flags open, mode_t mode?): new fd\n"
          "write noreturn ssize_t pwrite(int fd: use fd, const void *buf, size_t n: bytes,\n"
          "    off_t offset : offset) : moved # what a row\n");
    assert_int_equal(catalog.row_count, 2);
    const struct fth_row *row = &catalog.rows[0];
    assert_int_equal(row->id, 0);
    assert_string_equal(row->library, "libc");
    assert_string_equal(row->layer, "posix");
    assert_string_equal(row->kind, "open");
    assert_string_equal(row->name, "open");
    assert_int_equal(row->flags, FTH_CALL_VARIADIC);
    assert_null(row->via);
    assert_string_equal(row->file, "t");
    assert_int_equal(row->line, 6);
    assert_int_equal(row->field_count, 3);
    const struct fth_field *field = row->fields;
    assert_string_equal(field[0].type, "const char *");
    assert_string_equal(field[0].name, "path");
    assert_string_equal(field[0].role_words, "path");
    assert_int_equal(field[0].role, FTH_ROLE_PATH);
    assert_int_equal(field[0].at_field, -1);
    assert_int_equal(field[1].flags_index, 0);
    assert_string_equal(field[1].role_words, "flags open");
    assert_true(field[2].optional);
    assert_string_equal(field[2].role_words, "");
    assert_int_equal(field[2].role, FTH_ROLE_VALUE);
    assert_string_equal(row->result.type, "int");
    assert_string_equal(row->result.name, "");
    assert_int_equal(row->result.role, FTH_ROLE_NEW);
    assert_int_equal(row->result.class_index, 0);

    row = &catalog.rows[1];
    assert_int_equal(row->id, 1);
    assert_int_equal(row->line, 7);
    assert_int_equal(row->flags, FTH_CALL_NORETURN);
    assert_string_equal(row->text,
                        "write noreturn ssize_t pwrite(int fd: use fd, const void *buf, size_t n: "
                        "bytes, off_t offset : offset) : moved");
    assert_ptr_equal(fth_catalog_find(&catalog, "pwrite"), row);
    assert_null(fth_catalog_find(&catalog, "pread"));
    fth_catalog_free(&catalog);
    assert_null(fth_catalog_find(&catalog, "pwrite"));
}

static const struct {
    const char *words;
    unsigned flags;
    const char *via;
} flag_cases[] = {
    {"", 0, NULL},
    {"collective", FTH_CALL_COLLECTIVE, NULL},
    {"nonblocking", FTH_CALL_NONBLOCKING, NULL},
    {"begin", FTH_CALL_BEGIN, NULL},
    {"end", FTH_CALL_END, NULL},
    {"noreturn", FTH_CALL_NORETURN, NULL},
    {"off", FTH_CALL_OFF, NULL},
    {"by hand", FTH_CALL_BY_HAND, NULL},
    {"on stdin", FTH_CALL_ON_STDIN, NULL},
    {"on stdout", FTH_CALL_ON_STDOUT, NULL},
    {"hooked", FTH_CALL_HOOKED, NULL},
    {"around", FTH_CALL_AROUND, NULL},
    {"copies", FTH_CALL_COPIES, NULL},
    {"collective shared", FTH_CALL_COLLECTIVE_IF_SHARED, NULL},
    {"as write, create off", FTH_CALL_OFF, NULL},
    {"collective begin off", FTH_CALL_COLLECTIVE | FTH_CALL_BEGIN | FTH_CALL_OFF, NULL},
    {"via vf", FTH_CALL_VARIADIC, "vf"},
    {"off via vf on stdout", FTH_CALL_OFF | FTH_CALL_VARIADIC | FTH_CALL_ON_STDOUT, "vf"},
};

static void flags_stand_before_the_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof flag_cases / sizeof *flag_cases; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "other %s int f(int a%s)\n", flag_cases[i].words,
                 flag_cases[i].via ? ", ..." : "");
        struct fth_catalog catalog = {0};
        parse(&catalog, text);
        assert_int_equal(catalog.rows[0].flags, flag_cases[i].flags);
        assert_int_equal(catalog.rows[0].field_count, 1);
        assert_string_equal(catalog.rows[0].result.type, "int");
        if (flag_cases[i].via)
            assert_string_equal(catalog.rows[0].via, flag_cases[i].via);
        else
            assert_null(catalog.rows[0].via);
        fth_catalog_free(&catalog);
    }
}

static void functions_may_be_called_like_the_words_of_the_language(void **state)
{
    (void)state;
    static const char *const words[] = {
        "read",    "close", "begin", "end", "off",  "via",   "by",    "on",    "collective",
        "library", "layer", "class", "use", "path", "flags", "other", "stdin", "void_",
    };
    struct fth_catalog catalog = {0};
    parse(&catalog, "layer posix\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[256];
        snprintf(text, sizeof text, "other off int %s(int %s: value, int b)\n", words[i], words[i]);
        parse(&catalog, text);
        assert_string_equal(catalog.rows[i].name, words[i]);
        assert_string_equal(catalog.rows[i].fields[0].name, words[i]);
        assert_int_equal(catalog.rows[i].flags, FTH_CALL_OFF);
    }
    fth_catalog_free(&catalog);
}

/* ---- Types ---- */

static const struct {
    const char *declaration, *type, *name;
    bool array;
    enum fth_role role; /* without words */
} type_cases[] = {
    {"int a", "int", "a", false, FTH_ROLE_VALUE},
    {"unsigned a", "unsigned", "a", false, FTH_ROLE_VALUE},
    {"unsigned  long\tlong int a", "unsigned long long int", "a", false, FTH_ROLE_VALUE},
    {"const int a", "const int", "a", false, FTH_ROLE_VALUE},
    {"size_t a", "size_t", "a", false, FTH_ROLE_VALUE},
    {"off_t a", "off_t", "a", false, FTH_ROLE_VALUE},
    {"enum kind a", "enum kind", "a", false, FTH_ROLE_VALUE},
    {"MPI_Offset a", "MPI_Offset", "a", false, FTH_ROLE_VALUE},
    {"MPI_Count a", "MPI_Count", "a", false, FTH_ROLE_VALUE},
    {"MPI_Aint a", "MPI_Aint", "a", false, FTH_ROLE_VALUE},
    {"MPI_Fint a", "MPI_Fint", "a", false, FTH_ROLE_VALUE},
    {"MPI_Comm a", "MPI_Comm", "a", false, FTH_ROLE_NONE},
    {"double a", "double", "a", false, FTH_ROLE_NONE},
    {"float a", "float", "a", false, FTH_ROLE_NONE},
    {"long double a", "long double", "a", false, FTH_ROLE_NONE},
    {"va_list a", "va_list", "a", false, FTH_ROLE_NONE},
    {"struct s a", "struct s", "a", false, FTH_ROLE_NONE},
    {"union u a", "union u", "a", false, FTH_ROLE_NONE},
    {"void *a", "void *", "a", false, FTH_ROLE_NONE},
    {"int * a", "int *", "a", false, FTH_ROLE_NONE},
    {"char*const*restrict a", "char *const *restrict", "a", false, FTH_ROLE_NONE},
    {"char **a", "char **", "a", false, FTH_ROLE_NONE},
    {"int a[]", "int", "a", true, FTH_ROLE_NONE},
    {"const int a [ 2 ]", "const int", "a", true, FTH_ROLE_NONE},
    {"char *const a[]", "char *const", "a", true, FTH_ROLE_NONE},
    {"int a[][3]", "int (*)[3]", "a", false, FTH_ROLE_NONE},
    {"int (*a)[3]", "int (*)[3]", "a", false, FTH_ROLE_NONE},
    {"void *(*a)(void *)", "void *(*)(void *)", "a", false, FTH_ROLE_NONE},
    {"int ( * a ) ( const void*b , int ( *c ) ( void ) , ... )",
     "int (*)(const void *b, int (*c)(void), ...)", "a", false, FTH_ROLE_NONE},
};

static void declarations_fall_into_type_and_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof type_cases / sizeof *type_cases; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "other void f(int x, %s, int y)\n",
                 type_cases[i].declaration);
        struct fth_catalog catalog = {0};
        parse(&catalog, text);
        assert_int_equal(catalog.rows[0].field_count, 3);
        const struct fth_field *field = &catalog.rows[0].fields[1];
        assert_string_equal(field->type, type_cases[i].type);
        assert_string_equal(field->name, type_cases[i].name);
        assert_int_equal(field->array, type_cases[i].array);
        assert_int_equal(field->role, type_cases[i].role);
        assert_string_equal(field->role_words, "");
        assert_string_equal(catalog.rows[0].fields[2].name, "y");
        fth_catalog_free(&catalog);
    }
}

static void results_have_types_too(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog,
          HEAD "other const struct s*a(void)\nother void b()\nother unsigned long c(void)\n");
    assert_string_equal(catalog.rows[0].result.type, "const struct s *");
    assert_string_equal(catalog.rows[1].result.type, "void");
    assert_string_equal(catalog.rows[2].result.type, "unsigned long");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(catalog.rows[i].field_count, 0);
        assert_int_equal(catalog.rows[i].result.role, FTH_ROLE_NONE);
        assert_string_equal(catalog.rows[i].result.role_words, "");
    }
    fth_catalog_free(&catalog);
}

/* ---- Roles ---- */

/* Of the parameter `a` in `f(int n, ... a ..., int d: use fd)`. -2: looked at nowhere, the others
 * as in fth_field. */
static const struct {
    const char *declaration, *words;
    enum fth_role role;
    int class_index, flags_index, length_field;
    int64_t length;
    int at_field;
} role_cases[] = {
    {"int a", "use fd", FTH_ROLE_USE, 0, -1, -1, -1, -1},
    {"MPI_Comm a", "use comm", FTH_ROLE_USE, 1, -1, -1, -1, -1},
    {"int a", "close fd", FTH_ROLE_CLOSE, 0, -1, -1, -1, -1},
    {"MPI_Request *a", "close request", FTH_ROLE_CLOSE, 2, -1, -1, -1, -1},
    {"MPI_Comm *a", "new comm", FTH_ROLE_NEW, 1, -1, -1, -1, -1},
    {"const MPI_Comm a[]", "use comm[n]", FTH_ROLE_USE, 1, -1, 0, -1, -1},
    {"MPI_Request a[]", "close request[n]", FTH_ROLE_CLOSE, 2, -1, 0, -1, -1},
    {"int a[2]", "new fd[2]", FTH_ROLE_NEW, 0, -1, -1, 2, -1},
    {"int *a", "use fd[d]", FTH_ROLE_USE, 0, -1, 2, -1, -1},
    {"const char *a", "path", FTH_ROLE_PATH, -1, -1, -1, -1, -1},
    {"const char *a", "path at d", FTH_ROLE_PATH, -1, -1, -1, -1, 2},
    {"const char *a", "string", FTH_ROLE_STRING, -1, -1, -1, -1, -1},
    {"char *const a[]", "strings", FTH_ROLE_STRINGS, -1, -1, -1, -1, -1},
    {"size_t a", "bytes", FTH_ROLE_BYTES, -1, -1, -1, -1, -1},
    {"size_t a", "size", FTH_ROLE_SIZE, -1, -1, -1, -1, -1},
    {"size_t a", "items", FTH_ROLE_ITEMS, -1, -1, -1, -1, -1},
    {"int a", "count", FTH_ROLE_COUNT, -1, -1, -1, -1, -1},
    {"off_t a", "offset", FTH_ROLE_OFFSET, -1, -1, -1, -1, -1},
    {"off_t *a", "offset", FTH_ROLE_OFFSET, -1, -1, -1, -1, -1},
    {"MPI_Offset a", "offset view", FTH_ROLE_OFFSET_VIEW, -1, -1, -1, -1, -1},
    {"off_t a", "distance", FTH_ROLE_DISTANCE, -1, -1, -1, -1, -1},
    {"int a", "whence", FTH_ROLE_WHENCE, -1, -1, -1, -1, -1},
    {"int a", "flags open", FTH_ROLE_FLAGS, -1, 0, -1, -1, -1},
    {"mode_t a", "mode", FTH_ROLE_MODE, -1, -1, -1, -1, -1},
    {"int a", "value", FTH_ROLE_VALUE, -1, -1, -1, -1, -1},
    {"const char *a", "data", FTH_ROLE_DATA, -1, -1, -1, -1, -1},
    {"int a", "peer", FTH_ROLE_PEER, -1, -1, -1, -1, -1},
    {"int a", "root", FTH_ROLE_ROOT, -1, -1, -1, -1, -1},
    {"int a", "tag", FTH_ROLE_TAG, -1, -1, -1, -1, -1},
    {"const int a[]", "in[n]", FTH_ROLE_IN, -1, -1, 0, -1, -1},
    {"const MPI_Aint *a", "in[16]", FTH_ROLE_IN, -1, -1, -1, 16, -1},
    {"int *a", "out", FTH_ROLE_OUT, -1, -1, -1, -1, -1},
    {"int a[]", "out[n]", FTH_ROLE_OUT, -1, -1, 0, -1, -1},
    {"const struct iovec *a", "iov[n]", FTH_ROLE_IOV, -1, -1, 0, -1, -1},
    {"MPI_Status *a", "status", FTH_ROLE_STATUS, -1, -1, -1, -1, -1},
    {"MPI_Status a[]", "status[n]", FTH_ROLE_STATUS, -1, -1, 0, -1, -1},
    {"struct aiocb *a", "aio", FTH_ROLE_AIO, -1, -1, -1, -1, -1},
    {"int a", "skip", FTH_ROLE_NONE, -1, -1, -1, -1, -1},
};

static void parameters_have_roles(void **state)
{
    (void)state;
    bool seen[FTH_ROLE_POINTER + 1] = {false};
    for (size_t i = 0; i < sizeof role_cases / sizeof *role_cases; i++) {
        char text[512];
        snprintf(text, sizeof text, CLASSES "other void f(int n, %s: %s, int d: use fd)\n",
                 role_cases[i].declaration, role_cases[i].words);
        struct fth_catalog catalog = {0};
        parse(&catalog, text);
        const struct fth_field *field = &catalog.rows[0].fields[1];
        assert_string_equal(field->name, "a");
        assert_string_equal(field->role_words, role_cases[i].words);
        assert_int_equal(field->role, role_cases[i].role);
        assert_int_equal(field->class_index, role_cases[i].class_index);
        assert_int_equal(field->flags_index, role_cases[i].flags_index);
        assert_int_equal(field->length_field, role_cases[i].length_field);
        assert_int_equal(field->length, role_cases[i].length);
        assert_int_equal(field->at_field, role_cases[i].at_field);
        fth_catalog_free(&catalog);
        seen[role_cases[i].role] = true;
    }
    for (int role = FTH_ROLE_NONE; role <= FTH_ROLE_AIO; role++)
        assert_true(seen[role]);
}

static const struct {
    const char *type, *words;
    enum fth_role role;
} result_cases[] = {
    {"ssize_t ", "moved", FTH_ROLE_MOVED},
    {"size_t ", "items", FTH_ROLE_RESULT_ITEMS},
    {"int ", "byte", FTH_ROLE_BYTE},
    {"char *", "text", FTH_ROLE_TEXT},
    {"int ", "line", FTH_ROLE_LINE},
    {"off_t ", "position", FTH_ROLE_POSITION},
    {"int ", "status", FTH_ROLE_RESULT_STATUS},
    {"int ", "code", FTH_ROLE_CODE},
    {"int ", "new fd", FTH_ROLE_NEW},
    {"FILE *", "new fd", FTH_ROLE_NEW},
    {"void *", "pointer", FTH_ROLE_POINTER},
    {"int ", "value", FTH_ROLE_VALUE},
    {"int ", "skip", FTH_ROLE_NONE},
    {"void ", "skip", FTH_ROLE_NONE},
};

static void results_have_roles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof result_cases / sizeof *result_cases; i++) {
        char text[512];
        snprintf(text, sizeof text, CLASSES "other %sf(void): %s\n", result_cases[i].type,
                 result_cases[i].words);
        struct fth_catalog catalog = {0};
        parse(&catalog, text);
        const struct fth_field *result = &catalog.rows[0].result;
        assert_int_equal(result->role, result_cases[i].role);
        assert_string_equal(result->role_words, result_cases[i].words);
        assert_int_equal(result->class_index, result_cases[i].role == FTH_ROLE_NEW ? 0 : -1);
        fth_catalog_free(&catalog);
    }
}

/* ---- The other lines ---- */

static void classes_and_flags_are_kept(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog,
          "class fd file\nclass comm object # names\nclass request anonymous\nclass fd file\n"
          "class stream file buffered\nclass stream file\n"
          "flags f -1=A 0=B 0x1F=C\n"
          "        010=D # eight\n"
          "\n"
          "# between\n"
          "  -9223372036854775808=E 9223372036854775807=F\n"
          "flags f -1=A 0=B 31=C 8=D -0x8000000000000000=E 0x7fffffffffffffff=F\n");
    assert_int_equal(catalog.class_count, 4);
    assert_false(catalog.classes[0].buffered);
    assert_true(catalog.classes[3].buffered);
    assert_string_equal(catalog.classes[1].name, "comm");
    assert_int_equal(catalog.classes[0].form, FTH_CLASS_FILE);
    assert_int_equal(catalog.classes[1].form, FTH_CLASS_OBJECT);
    assert_int_equal(catalog.classes[2].form, FTH_CLASS_ANONYMOUS);
    assert_int_equal(catalog.flags_count, 1);
    const struct fth_flags *flags = &catalog.flags[0];
    static const int64_t values[] = {-1, 0, 31, 8, INT64_MIN, INT64_MAX};
    assert_string_equal(flags->name, "f");
    assert_int_equal(flags->count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(flags->entries[i].value, values[i]);
        assert_string_equal(flags->entries[i].name, ((char[]){(char)('A' + i), '\0'}));
    }
    fth_catalog_free(&catalog);
}

static void settings_hold_until_the_next(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog, "layer posix\nother void a(void)\n");
    parse(&catalog,
          "other void b(void)\nlibrary mpi libmpi PMPI_Init\nlayer mpiio\nother void c(void)\n"
          "library mpi libmpi PMPI_Init\nlibrary mpi\nlibrary other libother open needs close\n"
          "library third libthird f itself fortran f_ or f90_ asked after");
    assert_string_equal(catalog.rows[0].library, "libc");
    assert_string_equal(catalog.rows[1].layer, "posix");
    assert_string_equal(catalog.rows[2].library, "mpi");
    assert_int_equal(catalog.library_count, 3); /* that are recognised */
    assert_string_equal(catalog.libraries[0].stem, "libmpi");
    assert_string_equal(catalog.libraries[0].symbol, "PMPI_Init");
    assert_null(catalog.libraries[0].needs);
    assert_string_equal(catalog.libraries[1].needs, "close");
    assert_false(catalog.libraries[1].itself || catalog.libraries[1].asked_after);
    assert_null(catalog.libraries[1].fortran[0]);
    assert_string_equal(catalog.libraries[2].fortran[0], "f_");
    assert_string_equal(catalog.libraries[2].fortran[1], "f90_");
    assert_true(catalog.libraries[2].itself && catalog.libraries[2].asked_after);
    assert_string_equal(catalog.rows[2].layer, "mpiio");
    assert_int_equal(catalog.file_count, 1);
    fth_catalog_free(&catalog);
}

static void rows_of_a_trace_have_numbers(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog,
          "layer posix\n17 other void a(void)\nother void b(void)\r\n0x10   other void c(void)");
    assert_int_equal(catalog.rows[0].id, 17);
    assert_int_equal(catalog.rows[1].id, 1);
    assert_int_equal(catalog.rows[2].id, 16);
    assert_string_equal(catalog.rows[0].text, "other void a(void)");
    assert_string_equal(catalog.rows[2].text, "other void c(void)");
    fth_catalog_free(&catalog);
}

static void rows_go_on_over_lines_and_comments(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog, "layer posix# one\n\n\t\n"
                    "other # two\n"
                    "  void # three, (\n"
                    "# four\n"
                    "    # five\n"
                    "\r\n"
                    "\tf(int # six\n"
                    " a)\n"
                    "other void g()");
    assert_int_equal(catalog.row_count, 2);
    assert_string_equal(catalog.rows[0].text, "other void f(int a)");
    assert_int_equal(catalog.rows[0].line, 4);
    assert_int_equal(catalog.rows[1].line, 11);
    fth_catalog_free(&catalog);
}

static void nothing_is_a_catalogue(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    assert_int_equal(fth_catalog_parse(&catalog, "t", NULL, 0, NULL), 0);
    parse(&catalog, "  # nothing\n\n");
    assert_int_equal(catalog.row_count, 0);
    fth_catalog_free(&catalog);
    fth_catalog_free(&catalog);
}

/* ---- Mistakes ---- */

#define KINDS                                                                                      \
    "open, close, dup, read, write, seek, sync, truncate, map, lock, control, poll, stat, name, "  \
    "delete, "                                                                                     \
    "permission, list, view, pipe, process, thread, mutex, init, finalize, send, recv, exchange, " \
    "probe, start, wait, test, cancel, collective, comm, group, topology, type, rma, info, "       \
    "attribute, error, tool, env, kernel, copy, other"
#define ROLES                                                                                      \
    "use, close, new, path, string, strings, data, bytes, size, items, count, offset, "            \
    "distance, whence, flags, mode, value, peer, root, tag, in, out, iov, status, aio, argument, " \
    "skip"
#define RESULTS "moved, items, byte, text, line, position, status, code, new, pointer, value, skip"
#define TEN(x) x x x x x x x x x x

static const struct {
    const char *text, *error; /* `text` after "layer posix\n" */
} mistakes[] = {
    /* lines */
    {"open as write, frob int f()",
     "t:2:16: expected read, write, create, truncate, exclusive or temporary after 'as', not "
     "'frob'"},
    {"control int f(void *a: argument)",
     "t:2:1: the role 'argument' of 'a' needs a parameter with the role 'flags' in front: its "
     "command"},
    {"frob int f()", "t:2:1: unknown kind 'frob'; the kinds are: " KINDS},
    {"3", "t:2:2: expected the kind of a row, or library, include, layer, class, flags or each, "
          "not the end of "
          "the line"},
    {"(x)", "t:2:1: expected the kind of a row, or library, include, layer, class, flags or each, "
            "not '('"},
    {"\x01",
     "t:2:1: expected the kind of a row, or library, include, layer, class, flags or each, not the "
     "byte 0x01"},
    {"other int f()\n \xc3\xa4", "t:3:2: expected the end of the line, not the byte 0xc3"},
    {"library", "t:2:8: expected the name of a library, not the end of the line"},
    {"library a b",
     "t:2:12: expected a function that the library defines, not the end of the line"},
    {"library a b c d", "t:2:15: expected the end of the line, not 'd'"},
    {"library a b c needs",
     "t:2:20: expected a function that the library must have, not the end of the line"},
    {"library a b c asked first", "t:2:21: expected 'after' following 'asked', not 'first'"},
    {"library a b c fortran",
     "t:2:22: expected the name of its Fortran part, not the end of the line"},
    {"library a b c\nlibrary a b c itself",
     "t:3:9: the library 'a' was declared differently before"},
    {"library a b c\nlibrary a b d", "t:3:9: the library 'a' was declared differently before"},
    {"layer 1", "t:2:7: expected the name of a layer, not '1'"},
    {"layer a\n b",
     "t:3:2: expected 'accesses files', 'synchronizes', 'open with', 'open together with', "
     "'close with', 'flush with', 'refills with', 'about' or 'hint', not 'b'"},
    {"layer a accesses all", "t:2:18: expected 'files' after 'accesses', not 'all'"},
    {"layer a is blue", "t:2:12: expected what the layer is: system, streams, ..., not 'blue'"},
    {"layer a open f", "t:2:14: expected 'with' and a function, not 'f'"},
    {"layer a open with", "t:2:18: expected the name of a function, not the end of the line"},
    {"layer a open with f open with g", "t:2:26: this layer has this line already"},
    {"layer a about \"b", "t:2:15: expected a string in quotes, not '\"'"},
    {"layer a hint more \"b\"",
     "t:2:14: unknown hint 'more'; the hints are: larger, together, buffer, unused, aligned, "
     "objects, attributes, kept"},
    {"layer a hint larger in c \"b\"", "t:2:24: expected 'python' after 'in', not 'c'"},
    {"layer a hint larger \"b\" hint larger \"c\"", "t:2:37: this layer has this line already"},
    {"layer a synchronizes\nlayer a accesses files",
     "t:3:7: the layer 'a' was described differently before"},
    {"other means opens, reads int f()",
     "t:2:20: expected opens, closes, syncs or nothing after 'means', not 'reads'"},
    {"class", "t:2:6: expected the name of a class, not the end of the line"},
    {"class fd", "t:2:9: expected file, object or anonymous, not the end of the line"},
    {"class fd files", "t:2:10: expected file, object or anonymous, not 'files'"},
    {"class fd file x", "t:2:15: expected the end of the line, not 'x'"},
    {"class fd file\nclass fd object", "t:3:10: the class 'fd' was declared as file before"},
    {"flags", "t:2:6: expected the name of the flags, not the end of the line"},
    {"flags f", "t:2:8: expected VALUE=SYMBOL, not the end of the line"},
    {"flags f x=A", "t:2:9: expected VALUE=SYMBOL, not 'x'"},
    {"flags f 1 A", "t:2:11: expected '=', not 'A'"},
    {"flags f 1=2", "t:2:11: expected the symbol of the value, not '2'"},
    {"flags f 1=A 08=B", "t:2:13: expected VALUE=SYMBOL, not '08'"},
    {"flags f 0x=A", "t:2:9: expected VALUE=SYMBOL, not '0x'"},
    {"flags f 0xg=A", "t:2:9: expected VALUE=SYMBOL, not '0xg'"},
    {"flags f 12ab=A", "t:2:9: expected VALUE=SYMBOL, not '12ab'"},
    {"flags f 9223372036854775808=A", "t:2:9: expected VALUE=SYMBOL, not '9223372036854775808'"},
    {"flags f -9223372036854775809=A", "t:2:9: expected VALUE=SYMBOL, not '-9223372036854775809'"},
    {"flags f 1=A\nflags f 2=A", "t:3:7: the flags 'f' were declared differently before"},
    /* the head of a row */
    {"-1 other int f()", "t:2:1: expected the number of a row, not '-1'"},
    {"9a other int f()", "t:2:1: expected the number of a row, not '9a'"},
    {"other", "t:2:6: expected '(' after the name of the function, not the end of the line"},
    {"other int f", "t:2:12: expected '(' after the name of the function, not the end of the line"},
    {"other (int a)", "t:2:7: expected the name of the function, not '('"},
    {"other int *(int a)", "t:2:12: expected the name of the function, not '('"},
    {"other f(int a)", "t:2:7: expected a type before 'f'"},
    {"other begin(int a)", "t:2:7: expected a type before 'begin'"},
    {"other const f(int a)", "t:2:13: expected a type before 'f'"},
    {"other *f(int a)", "t:2:7: expected the words of a C type, not '*'"},
    {"other int, f(int a)", "t:2:10: expected the words of a C type, not ','"},
    {"other by foot int f()", "t:2:10: expected 'hand' after 'by', not 'foot'"},
    {"other on stderr int f()", "t:2:10: expected 'stdin' or 'stdout' after 'on', not 'stderr'"},
    {"other via *g int f()", "t:2:11: expected the name of a function after 'via', not '*'"},
    {"other int f()\n\nclose off void f(int a)",
     "t:4:16: a second row for 'f'; the first one is at t:2"},
    /* parameters */
    {"other int f(int a",
     "t:2:18: expected ',' or ')' after the parameter, not the end of the line"},
    {"other int f(int a: value b)", "t:2:26: expected ',' or ')' after the parameter, not 'b'"},
    {"other int f(", "t:2:13: expected a parameter, not the end of the line"},
    {"other int f(int a,)", "t:2:19: expected a parameter, not ')'"},
    {"other int f(, int a)", "t:2:13: expected a parameter, not ','"},
    {"other int f(int)", "t:2:16: expected the name of the parameter, not ')'"},
    {"other int f(void, int a)", "t:2:17: expected the name of the parameter, not ','"},
    {"other int f(char *, int a)", "t:2:19: expected the name of the parameter, not ','"},
    {"other int f(int [])", "t:2:17: expected the name of the parameter, not '['"},
    {"other int f(int a;)", "t:2:18: expected the name of the parameter, not ';'"},
    {"other int f(a)", "t:2:13: expected a type before 'a'"},
    {"other int f(struct a)", "t:2:20: expected a type before 'a'"},
    {"other int f(int 3 a)", "t:2:17: expected the words of a C type, not '3'"},
    {"other int f(int (*a)(int = 3))", "t:2:26: expected the words of a C type, not '='"},
    {"other int f(int a[n])", "t:2:19: expected a number or nothing between '[' and ']', not 'n'"},
    {"other int f(int a])", "t:2:17: expected a number or nothing between '[' and ']', not 'a'"},
    {"other int f(int a, long a)", "t:2:20: a second parameter 'a'"},
    {"other int f(int a?, int b)", "t:2:21: expected no parameter after the optional 'a'"},
    {"other int f(int a, ..., int b)", "t:2:25: expected no parameter after '...'"},
    {"other int f(int a, ...)", "t:2:20: '...' needs 'via NAME' or 'by hand'"},
    {"other via g int f(int a)", "t:2:25: 'via g' needs '...' as the last parameter"},
    {"other int f(" TEN("int a,") ")", "t:2:19: a second parameter 'a'"},
    /* roles */
    {"other int f(int a: pth)",
     "t:2:20: unknown role 'pth'; the role of a parameter is one of: " ROLES},
    {"other int f(int a: )", "t:2:20: expected the role of a parameter, not ')'"},
    {"other int f(int a: moved)",
     "t:2:20: unknown role 'moved'; the role of a parameter is one of: " ROLES},
    {"other int f(int a: use)", "t:2:23: expected a class of handles, not ')'"},
    {"other int f(int a: use fd)",
     "t:2:24: unknown class 'fd'; a line 'class fd ...' must come first"},
    {"other int f(int a: flags)", "t:2:25: expected a name of flags, not ')'"},
    {"other int f(int a: flags o)",
     "t:2:26: unknown flags 'o'; a line 'flags o ...' must come first"},
    {"other int f(char *a: path at)",
     "t:2:29: expected the parameter that holds the descriptor, not ')'"},
    {"other int f(char *a: path at d)", "t:2:30: 'f' has no parameter 'd'"},
    {"other int f(int *a: in[g(d)])", "t:2:26: 'f' has no parameter 'd'"},
    {"other int f(int *a: in[g(1)])",
     "t:2:26: expected a parameter, or '*' for the answer, not '1'"},
    {"other int f(int *a: in[g(*)", "t:2:28: expected ']', not the end of the line"},
    {"class fd file\nother int f(int a, int *b: new fd in a)",
     "t:3:38: 'a' must have the role 'use CLASS'"},
    {"class fd file\nother int f(int a: use fd, int b, int *c: new fd in a named b)",
     "t:3:61: 'b' must have the role 'string'"},
    {"other int f(char *a: path at d, int d)", "t:2:30: 'd' must have the role 'use CLASS'"},
    {"other int f(char *a: string at)",
     "t:2:31: expected the parameter that holds the root, not ')'"},
    {"other int f(char *a: string at d, int d)", "t:2:32: 'd' must have the role 'root'"},
    {"other int f(int *a: in[last(b)], int *b)",
     "t:2:29: 'last' needs one parameter with the role 'in[n]'"},
    {"other int f(int *a: in[sum(b)], int *b: in[sum(a)])",
     "t:2:28: 'sum' needs one parameter with the role 'in[n]'"},
    {"other int f(int *a: in[sum(n, b)], int n, int *b: in[n])",
     "t:2:28: 'sum' needs one parameter with the role 'in[n]'"},
    {"other int f(int *a: in)", "t:2:23: expected '[' and the length of the array, not ')'"},
    {"other int f(int *a: in[])",
     "t:2:24: expected a parameter or a number for the length of the array, not ']'"},
    {"other int f(int *a: in[b])", "t:2:24: 'f' has no parameter 'b'"},
    {"other int f(int *a: in[2)", "t:2:25: expected ']', not ')'"},
    {"other int f(int *a: in[0])", "t:2:24: expected a length from 1 to 65535, not '0'"},
    {"other int f(int *a: in[-1])", "t:2:24: expected a length from 1 to 65535, not '-1'"},
    {"other int f(int *a: in[65536])", "t:2:24: expected a length from 1 to 65535, not '65536'"},
    {"other int f(int a: in[2])", "t:2:20: the role 'in' needs a pointer, and 'a' is not one"},
    {"other int f(int a: path)", "t:2:20: the role 'path' needs a pointer, and 'a' is not one"},
    {"class c file\nother int f(int a: use c[2])",
     "t:3:20: the role 'use' of an array needs a pointer, and 'a' is not one"},
    {"other int f(int a: value[2])", "t:2:25: expected ',' or ')' after the parameter, not '['"},
    {"other int f(int a): path",
     "t:2:21: unknown role 'path'; the role of the result is one of: " RESULTS},
    {"other int f(int a):", "t:2:20: expected the role of the result, not the end of the line"},
    {"other int f(int a) status", "t:2:20: expected the end of the line, not 'status'"},
    {"other int f(int a): status x", "t:2:28: expected the end of the line, not 'x'"},
    {"other int f(int a): new fd",
     "t:2:25: unknown class 'fd'; a line 'class fd ...' must come first"},
    {"other void f(int a): status",
     "t:2:22: the role 'status' needs a result, and the type is void"},
    {"other int f(int a): pointer",
     "t:2:21: the role 'pointer' needs a pointer, and the result is not one"},
    {"other int f(int a);", "t:2:19: expected the end of the line, not ';'"},
    /* long words are cut */
    {"other int f(int a: " TEN("abcdefgh") ")",
     "t:2:20: unknown role 'abcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefghabcdefgh'; the "
     "role "
     "of a parameter is one of: " ROLES},
};

static void expect_error(const char *text, size_t length, const char *expected)
{
    struct fth_catalog catalog = {0};
    struct fth_error *error = NULL;
    assert_int_equal(fth_catalog_parse(&catalog, "t", text, length, &error), -1);
    assert_string_equal(fth_error_text(error), expected);
    fth_error_free(error);
    fth_catalog_free(&catalog);
    assert_int_equal(fth_catalog_parse(&catalog, "t", text, length, NULL), -1);
    fth_catalog_free(&catalog);
}

static void mistakes_are_named_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char text[512];
        int length = snprintf(text, sizeof text, HEAD "%s", mistakes[i].text);
        expect_error(text, (size_t)length, mistakes[i].error);
    }
}

static void the_first_line_is_reported_too(void **state)
{
    (void)state;
    expect_error("  other int f()", 15,
                 "t:1:3: an indented line continues a row, but there is no row before it");
    expect_error("\n\n other", 8,
                 "t:3:2: an indented line continues a row, but there is no row before it");
    expect_error("other int f()", 13, "t:1:1: a line 'layer NAME' must come before the first row");
    expect_error(
        "layer a\n\0", 9,
        "t:2:1: expected the kind of a row, or library, include, layer, class, flags or each, "
        "not the byte 0x00");
    expect_error("class fd file", 10, "t:1:10: expected file, object or anonymous, not 'f'");
}

/* ---- Limits ---- */

struct text {
    char *bytes;
    size_t length, room;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...)
{
    if (text->room - text->length < 256) {
        text->room = text->room * 2 + 4096;
        text->bytes = realloc(text->bytes, text->room);
        assert_non_null(text->bytes);
    }
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, 256, format, arguments);
    va_end(arguments);
}

static void expect_limit(struct text *text, const char *tail, const char *error)
{
    struct fth_catalog catalog = {0};
    assert_int_equal(fth_catalog_parse(&catalog, "t", text->bytes, text->length, NULL), 0);
    fth_catalog_free(&catalog);
    append(text, "%s", tail);
    expect_error(text->bytes, text->length, error);
    free(text->bytes);
}

static void limits_are_kept(void **state)
{
    (void)state;
    struct text rows = {0}, classes = {0}, flags = {0};
    append(&rows, "layer posix\n");
    for (int i = 0; i < 65535; i++)
        append(&rows, "other int f%d()\n", i);
    expect_limit(&rows, "other int f()", "t:65537:1: more than 65535 rows");

    for (int i = 0; i < 254; i++)
        append(&classes, "class c%d file\n", i);
    expect_limit(&classes, "class c253 file\nclass c file", "t:256:7: more than 254 classes");

    for (int i = 0; i < 65535; i++)
        append(&flags, "flags c%d 1=A\n", i);
    expect_limit(&flags, "flags c 1=A", "t:65536:7: more than 65535 flags");

    struct fth_catalog catalog = {0};
    struct text parameters = {0};
    append(&parameters, "layer a\nother by hand int f(int p0");
    for (int i = 1; i < 31; i++)
        append(&parameters, ", int p%d", i);
    size_t head = parameters.length;
    append(&parameters, ", ...)");
    assert_int_equal(fth_catalog_parse(&catalog, "t", parameters.bytes, parameters.length, NULL),
                     0);
    assert_int_equal(catalog.rows[0].field_count, 31);
    fth_catalog_free(&catalog);
    parameters.length = head;
    append(&parameters, ",\n int x)");
    expect_error(parameters.bytes, parameters.length, "t:3:2: more than 31 parameters");
    free(parameters.bytes);
}

static void long_statements_are_refused(void **state)
{
    (void)state;
    size_t length = 1 << 20;
    char *text = malloc(length);
    assert_non_null(text);
    static const char bytes[] = "(*[,:.?=a1 \n";
    for (const char *byte = bytes; *byte; byte++) {
        memset(text, *byte, length);
        memcpy(text, "layer posix\nother int f(", 24);
        struct fth_catalog catalog = {0};
        assert_int_equal(fth_catalog_parse(&catalog, "t", text, length, NULL), -1);
        fth_catalog_free(&catalog);
    }
    memset(text, '(', length);
    expect_error(text, length, "t:1:65537: more than 65536 words in one row");
    free(text);
}

/* Every beginning of a text, and every text with one byte changed, is either fine or an error. */
static void broken_texts_do_no_harm(void **state)
{
    (void)state;
    static const char whole[] = CLASSES
        "7 read off via vf on stdin const char *f(int d: use fd, const char *a[]: path at d,\n"
        "  int (*g)(void *), int m[][3], MPI_Comm c[2]: use comm[d] # x\n , ...): new fd\n";
    static const char bytes[] = "\0\n #()[]:,?.*=-0a\xff";
    for (size_t i = 0; i < sizeof whole; i++) {
        char *text = malloc(i + 1); /* of its exact size, for the address sanitizer */
        assert_non_null(text);
        memcpy(text, whole, i);
        struct fth_catalog catalog = {0};
        fth_catalog_parse(&catalog, "t", text, i, NULL);
        fth_catalog_free(&catalog);
        free(text);
    }
    for (size_t i = 0; i < sizeof whole - 1; i++) {
        for (size_t j = 0; j < sizeof bytes - 1; j++) {
            char text[sizeof whole];
            memcpy(text, whole, sizeof whole);
            text[i] = bytes[j];
            struct fth_catalog catalog = {0};
            fth_catalog_parse(&catalog, "t", text, sizeof whole - 1, NULL);
            fth_catalog_free(&catalog);
        }
    }
}

/* ---- Files, and the catalogue itself ---- */

static void files_name_themselves(void **state)
{
    (void)state;
    char path[] = "/tmp/fathom_parse_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "other int f()\n", 14), 14);
    close(fd);
    char expected[128];
    struct fth_catalog catalog = {0};
    struct fth_error *error = NULL;
    parse(&catalog, "library mpi\nlayer mpi\n"); /* which the file does not inherit */
    assert_int_equal(fth_catalog_parse_file(&catalog, path, &error), -1);
    snprintf(expected, sizeof expected,
             "%s:1:1: a line 'layer NAME' must come before the first row", path);
    assert_string_equal(fth_error_text(error), expected);
    fth_error_free(error);
    unlink(path);

    error = NULL;
    assert_int_equal(fth_catalog_parse_file(&catalog, path, &error), -1);
    snprintf(expected, sizeof expected, "cannot open '%s': No such file or directory", path);
    assert_string_equal(fth_error_text(error), expected);
    fth_error_free(error);

    error = NULL;
    assert_int_equal(fth_catalog_parse_file(&catalog, "/", &error), -1);
    assert_string_equal(fth_error_text(error), "'/' is a folder, not a text file");
    fth_error_free(error);
    fth_catalog_free(&catalog);
}

static void expect_same_field(const struct fth_field *left, const struct fth_field *right)
{
    assert_string_equal(left->type, right->type);
    assert_string_equal(left->name, right->name);
    assert_string_equal(left->role_words, right->role_words);
    assert_int_equal(left->role, right->role);
    assert_int_equal(left->array, right->array);
    assert_int_equal(left->optional, right->optional);
    assert_int_equal(left->class_index, right->class_index);
    assert_int_equal(left->flags_index, right->flags_index);
    assert_int_equal(left->length_field, right->length_field);
    assert_int_equal(left->length, right->length);
    assert_int_equal(left->at_field, right->at_field);
}

static void expect_same_row(const struct fth_row *left, const struct fth_row *right)
{
    assert_string_equal(left->text, right->text);
    assert_string_equal(left->library, right->library);
    assert_string_equal(left->layer, right->layer);
    assert_string_equal(left->kind, right->kind);
    assert_string_equal(left->name, right->name);
    assert_int_equal(left->flags, right->flags);
    assert_int_equal(left->via != NULL, right->via != NULL);
    if (left->via)
        assert_string_equal(left->via, right->via);
    assert_int_equal(left->field_count, right->field_count);
    for (size_t i = 0; i < left->field_count; i++)
        expect_same_field(&left->fields[i], &right->fields[i]);
    expect_same_field(&left->result, &right->result);
}

/* Writes the catalogue as a trace would, reads that, and compares. */
static void expect_round_trip(const struct fth_catalog *catalog)
{
    static const char *const forms[] = {"file", "object", "anonymous"};
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "class %s %s\n", catalog->classes[i].name, forms[catalog->classes[i].form]);
    for (size_t i = 0; i < catalog->flags_count; i++) {
        fprintf(out, "flags %s", catalog->flags[i].name);
        for (size_t j = 0; j < catalog->flags[i].count; j++)
            fprintf(out, " %lld=%s", (long long)catalog->flags[i].entries[j].value,
                    catalog->flags[i].entries[j].name);
        fputs("\n", out);
    }
    for (size_t i = 0; i < catalog->row_count; i++)
        fprintf(out, "library %s\nlayer %s\n%zu %s\n", catalog->rows[i].library,
                catalog->rows[i].layer, 2 * i, catalog->rows[i].text);
    assert_int_equal(fclose(out), 0);

    struct fth_catalog again = {0};
    parse(&again, text);
    assert_int_equal(again.row_count, catalog->row_count);
    for (size_t i = 0; i < catalog->row_count; i++) {
        expect_same_row(&again.rows[i], &catalog->rows[i]);
        assert_int_equal(again.rows[i].id, 2 * i);
    }
    fth_catalog_free(&again);
    free(text);
}

static void a_library_is_asked(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(
        &catalog, CLASSES
        "read int f(int h: use fd, const char *n: string, int *a: in[g(h, *)], int *b: out[k(n)], "
        "int *c: new fd in h named n): moved bytes_of(h, a)");
    const struct fth_field *field = catalog.rows[0].fields;
    assert_string_equal(field[2].ask->function, "g");
    assert_int_equal(field[2].ask->count, 2);
    assert_int_equal(field[2].ask->arguments[0], 0);
    assert_int_equal(field[2].ask->arguments[1], FTH_ASK_ANSWER);
    assert_int_equal(field[2].length, 0);
    assert_int_equal(field[3].ask->arguments[0], 1);
    assert_int_equal(field[4].in_field, 0);
    assert_int_equal(field[4].name_field, 1);
    assert_int_equal(field[4].length, -1);
    assert_null(field[4].ask);
    assert_int_equal(catalog.rows[0].result.role, FTH_ROLE_MOVED);
    assert_string_equal(catalog.rows[0].result.ask->function, "bytes_of");
    assert_int_equal(catalog.rows[0].result.ask->arguments[1], 2);
    assert_false(fth_ask_is_of_list(catalog.rows[0].result.ask));
    fth_catalog_free(&catalog);
}

static void lists_tell_lengths(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog, CLASSES "other int f(int n, int *a: in[n], int *b: in[last(a)], int *c: in[2], "
                            "int *d: in[sum(c)], char *e: string at r, int r: root)");
    const struct fth_field *field = catalog.rows[0].fields;
    assert_true(fth_ask_is_of_list(field[2].ask) && fth_ask_is_of_list(field[4].ask));
    assert_int_equal(field[2].ask->arguments[0], 1);
    assert_int_equal(field[4].ask->arguments[0], 3);
    assert_int_equal(field[5].at_field, 6);
    fth_catalog_free(&catalog);
}

static void the_text_of_a_row_is_the_row(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(
        &catalog, CLASSES
        "12  open\t off by hand # here\n"
        "      int   f ( const char*path :path at d ,  int d: use\tfd,int(*g)( void*) # and here\n"
        "#\n"
        "   , int m[ ][3],unsigned h:flags open,MPI_Comm *c  : new comm [ 2 ], ... ) : new fd\n"
        "other via vprintf void p(int a, ...)\n"
        "other long q(int a, mode_t b ?:mode):value\n");
    assert_string_equal(
        catalog.rows[0].text,
        "open off by hand int f ( const char*path :path at d , int d: use fd,int(*g)( "
        "void*) , int m[ ][3],unsigned h:flags open,MPI_Comm *c : new comm [ 2 ], ... ) "
        ": new fd");
    expect_round_trip(&catalog);
    fth_catalog_free(&catalog);
}

static int is_calls_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".calls") == 0;
}

/* The files in the order in which each finds the classes that it uses. */
static int by_layer(const struct dirent **left, const struct dirent **right)
{
    static const char order[] =
        "posix.calls stdio.calls process.calls pthread.calls mpi.calls mpiio.calls";
    const char *first = strstr(order, (*left)->d_name), *second = strstr(order, (*right)->d_name);
    if (first && second)
        return (first > second) - (first < second);
    return first ? -1 : second ? 1 : strcmp((*left)->d_name, (*right)->d_name);
}

static void the_catalogue_of_the_project_is_sound(void **state)
{
    (void)state;
    const char *source = getenv("SOURCE");
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/catalog", source ? source : ".");
    struct dirent **entries;
    int count = scandir(folder, &entries, is_calls_file, by_layer);
    if (count <= 0)
        skip();
    struct fth_catalog catalog = {0};
    for (int i = 0; i < count; i++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        struct fth_error *error = NULL;
        if (fth_catalog_parse_file(&catalog, path, &error))
            fail_msg("%s", fth_error_text(error));
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(catalog.file_count, count);
    assert_non_null(fth_catalog_find(&catalog, "open"));
    expect_round_trip(&catalog);
    fth_catalog_free(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_all_its_parts),
        cmocka_unit_test(flags_stand_before_the_type),
        cmocka_unit_test(functions_may_be_called_like_the_words_of_the_language),
        cmocka_unit_test(declarations_fall_into_type_and_name),
        cmocka_unit_test(results_have_types_too),
        cmocka_unit_test(parameters_have_roles),
        cmocka_unit_test(results_have_roles),
        cmocka_unit_test(classes_and_flags_are_kept),
        cmocka_unit_test(settings_hold_until_the_next),
        cmocka_unit_test(rows_of_a_trace_have_numbers),
        cmocka_unit_test(rows_go_on_over_lines_and_comments),
        cmocka_unit_test(nothing_is_a_catalogue),
        cmocka_unit_test(mistakes_are_named_where_they_are),
        cmocka_unit_test(the_first_line_is_reported_too),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(long_statements_are_refused),
        cmocka_unit_test(broken_texts_do_no_harm),
        cmocka_unit_test(files_name_themselves),
        cmocka_unit_test(a_library_is_asked),
        cmocka_unit_test(lists_tell_lengths),
        cmocka_unit_test(the_text_of_a_row_is_the_row),
        cmocka_unit_test(the_catalogue_of_the_project_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
