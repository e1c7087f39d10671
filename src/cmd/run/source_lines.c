/* From an address in a module to "file.c:123 function", by libdw of elfutils. One module is open at
 * a time: they come one after another. Lines of Python are known already.
 *
 * What is asked for is the address to which a call returns. The call itself stands before it, and
 * may be the last instruction of its line or even of its function: one byte less is inside of
 * it. */
#include "cmd/run/source_lines.h"

#include "base/memory.h"
#include "trace/record/spill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FATHOM_LIBDW
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <sys/stat.h>

const bool fth_source_lines_are_built_in = true;

enum { LONGEST_LINE = 4096 };

struct fth_source_lines {
    Dwfl *dwfl;
    Dwfl_Module *module; /* that is open; NULL: it cannot be */
    char *path, *build_id;
    bool differs; /* the file is not the one that ran */
    char *(*demangle)(const char *, char *, size_t *, int *);
};

struct fth_source_lines *fth_source_lines_open(void)
{
    struct fth_source_lines *lines = calloc(1, sizeof *lines);
    void *runtime = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (lines && runtime)
        lines->demangle =
            (char *(*)(const char *, char *, size_t *, int *))dlsym(runtime, "__cxa_demangle");
    unsetenv("DEBUGINFOD_URLS"); /* nothing is fetched from anywhere */
    return lines;
}

static void close_module(struct fth_source_lines *lines)
{
    if (lines->dwfl)
        dwfl_end(lines->dwfl);
    free(lines->path);
    free(lines->build_id);
    lines->dwfl = NULL;
    lines->module = NULL;
    lines->path = lines->build_id = NULL;
}

void fth_source_lines_close(struct fth_source_lines *lines)
{
    if (!lines)
        return;
    close_module(lines);
    free(lines);
}

static bool has_build_id(Dwfl_Module *module, const char *build_id)
{
    const unsigned char *bytes;
    GElf_Addr where;
    char digits[2 * 64 + 1] = "";
    int count = dwfl_module_build_id(module, &bytes, &where);
    for (int i = 0; i < count && i < 64; i++)
        sprintf(digits + 2 * i, "%02x", bytes[i]);
    return strcmp(digits, build_id) == 0;
}

static void open_module(struct fth_source_lines *lines, const char *path, const char *build_id)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    struct stat facts;
    close_module(lines);
    lines->path = fth_text_copy(path);
    lines->build_id = fth_text_copy(build_id);
    lines->differs = false;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) /* a pipe would not come to an end */
        return;
    lines->dwfl = dwfl_begin(&callbacks);
    if (!lines->dwfl)
        return;
    dwfl_report_begin(lines->dwfl);
    lines->module = dwfl_report_offline(lines->dwfl, "", path, -1);
    dwfl_report_end(lines->dwfl, NULL, NULL);
    lines->differs = lines->module && !has_build_id(lines->module, build_id);
}

/* ---- names ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "__io_MOD_put" of gfortran to "io::put"; names of C++ and Rust as these are written. Adds it to
 * `to`. */
static void put_name(const struct fth_source_lines *lines, struct fth_bytes *to, const char *name)
{
    const char *of_module = strstr(name, "_MOD_");
    if (!strncmp(name, "__", 2) && of_module) {
        fth_bytes_put(to, name + 2, (size_t)(of_module - name - 2));
        fth_bytes_put(to, "::", 2);
        name = of_module + 5;
    }
    int status;
    char *clear = lines->demangle && !strncmp(name, "_Z", 2)
                      ? lines->demangle(name, NULL, NULL, &status)
                      : NULL;
    fth_bytes_put(to, clear ? clear : name, strlen(clear ? clear : name));
    free(clear);
}

static const char *name_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    return name ? name : dwarf_diename(die);
}

/* The function, and behind it the one that it was inlined into: "put (inlined in main)". False: it
 * is not known. */
static bool put_function(const struct fth_source_lines *lines, GElf_Addr address,
                         struct fth_bytes *to)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(lines->module, address, &bias), *at = NULL,
              *scopes = NULL;
    int count = unit ? dwarf_getscopes(unit, address - bias, &at) : 0;
    /* those around an inlined function are the ones of its definition; asked for again, they are
     * the ones that it was inlined into */
    count = count > 0 ? dwarf_getscopes_die(&at[0], &scopes) : 0;
    free(at);
    bool inlined = false, found = false;
    for (int i = 0; i < count && (!found || inlined); i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        const char *name = name_of(&scopes[i]);
        if (!found) {
            put_name(lines, to, name ? name : "?");
            found = true;
            inlined = tag == DW_TAG_inlined_subroutine;
        } else if (tag == DW_TAG_subprogram && name) {
            fth_bytes_put(to, " (inlined in ", 13);
            put_name(lines, to, name);
            fth_bytes_put(to, ")", 1);
            inlined = false;
        }
    }
    free(scopes);
    return found;
}

/* "libhdf5.so.103: H5Dwrite+0x4f": of a module without debugging information. */
static bool put_symbol(const struct fth_source_lines *lines, GElf_Addr address,
                       struct fth_bytes *to)
{
    char text[64];
    GElf_Off distance;
    GElf_Sym symbol;
    const char *name =
        dwfl_module_addrinfo(lines->module, address, &distance, &symbol, NULL, NULL, NULL);
    if (!name)
        return false;
    fth_bytes_put(to, base_name(lines->path), strlen(base_name(lines->path)));
    fth_bytes_put(to, ": ", 2);
    put_name(lines, to, name);
    snprintf(text, sizeof text, "+0x%" PRIx64, (uint64_t)distance + 1);
    fth_bytes_put(to, text, strlen(text));
    return true;
}

static bool put_line(const struct fth_source_lines *lines, GElf_Addr address, struct fth_bytes *to)
{
    int line = 0;
    Dwfl_Line *found = dwfl_module_getsrc(lines->module, address);
    const char *file = found ? dwfl_lineinfo(found, NULL, &line, NULL, NULL, NULL) : NULL;
    char text[32];
    if (!file || line <= 0)
        return false;
    snprintf(text, sizeof text, ":%d ", line);
    fth_bytes_put(to, base_name(file), strlen(base_name(file)));
    fth_bytes_put(to, text, strlen(text));
    size_t before = to->length;
    if (!put_function(lines, address, to))
        to->length = before - 1;
    return true;
}

static char *line_in_module(struct fth_source_lines *lines, const char *path, const char *build_id,
                            uint64_t offset)
{
    GElf_Addr bias;
    char *text = NULL;
    if (!lines->path || strcmp(lines->path, path) != 0 || strcmp(lines->build_id, build_id) != 0)
        open_module(lines, path, build_id);
    if (lines->differs)
        return fth_text_format("%s+0x%" PRIx64 " (the file has changed since)", base_name(path),
                               offset);
    if (!lines->module || lines->differs || !offset || !dwfl_module_getelf(lines->module, &bias))
        return NULL;
    struct fth_bytes to = {0};
    GElf_Addr address = bias + offset - 1;
    if (put_line(lines, address, &to) || put_symbol(lines, address, &to))
        text = fth_text_part((const char *)to.data,
                             to.length < LONGEST_LINE ? to.length : LONGEST_LINE);
    fth_bytes_free(&to);
    return text;
}

#else

const bool fth_source_lines_are_built_in = false;

struct fth_source_lines *fth_source_lines_open(void)
{
    return NULL;
}

void fth_source_lines_close(struct fth_source_lines *lines)
{
    (void)lines;
}

static char *line_in_module(struct fth_source_lines *lines, const char *path, const char *build_id,
                            uint64_t offset)
{
    (void)lines;
    (void)path;
    (void)build_id;
    (void)offset;
    return NULL;
}

#endif

/* Of Python, the recorder has said where. */
char *fth_source_line(void *lines, const char *path, const char *build_id, uint64_t offset)
{
    size_t start = strlen(FTH_PYTHON_PLACE);
    return strncmp(build_id, FTH_PYTHON_PLACE, start) == 0
               ? fth_text_copy(build_id + start)
               : line_in_module(lines, path, build_id, offset);
}
