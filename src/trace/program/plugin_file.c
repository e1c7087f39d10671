/* The rows of a plug-in stand in a section of its own in its file (capture/bound/wrap_plugin.h). */
#include "trace/program/plugin_file.h"

#include "build.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char section_name[] = ".fathom.rows";

/* A part of the file; NULL: it is not in it. */
static const char *inside(const char *file, uint64_t size, uint64_t at, uint64_t bytes)
{
    return at <= size && bytes <= size - at ? file + at : NULL;
}

/* The head of section `i`; false: there is none. */
static bool read_section(const char *file, uint64_t size, const Elf64_Ehdr *head, unsigned i,
                         Elf64_Shdr *section)
{
    uint64_t place;
    const char *at =
        i < head->e_shnum && !__builtin_add_overflow(head->e_shoff, i * sizeof *section, &place)
            ? inside(file, size, place, sizeof *section)
            : NULL;
    if (at)
        memcpy(section, at, sizeof *section);
    return at != NULL;
}

static bool has_name(const char *file, uint64_t size, const Elf64_Shdr *names, uint32_t name)
{
    uint64_t place;
    const char *at = !__builtin_add_overflow(names->sh_offset, name, &place)
                         ? inside(file, size, place, sizeof section_name)
                         : NULL;
    return at && memcmp(at, section_name, sizeof section_name) == 0;
}

static const char *find_rows(const char *file, uint64_t size, uint64_t *bytes)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, section;
    if (size < sizeof head)
        return NULL;
    memcpy(&head, file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_shentsize != sizeof section ||
        !read_section(file, size, &head, head.e_shstrndx, &names))
        return NULL;
    for (unsigned i = 0; read_section(file, size, &head, i, &section); i++)
        if (section.sh_type == SHT_PROGBITS && has_name(file, size, &names, section.sh_name)) {
            *bytes = section.sh_size;
            return inside(file, size, section.sh_offset, section.sh_size);
        }
    return NULL;
}

static int read_rows(const char *path, const char *file, uint64_t size, char **text, size_t *length,
                     bool *is_foreign, struct fth_error **error)
{
    uint64_t bytes, build;
    const char *rows = find_rows(file, size, &bytes);
    if (!rows || bytes <= sizeof build) /* a zero ends them */
        return fth_fail(error, "'%s' is not a plug-in made by `fathom wrap`", path);
    memcpy(&build, rows, sizeof build);
    *is_foreign = build != FTH_BUILD;
    if (*is_foreign)
        return fth_fail(error,
                        "the plug-in '%s' was made by another build of Fathom; make it again with "
                        "`fathom wrap`",
                        path);
    *length = bytes - sizeof build - 1;
    *text = malloc(*length + 1);
    if (!*text)
        return fth_fail(error, "out of memory");
    memcpy(*text, rows + sizeof build, *length);
    (*text)[*length] = 0;
    return 0;
}

int fth_plugin_read(const char *path, char **text, size_t *length, bool *is_foreign,
                    struct fth_error **error)
{
    bool foreign = false;
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0) {
        fth_fail_errno(error, "cannot open the plug-in '%s'", path);
        if (file >= 0)
            close(file);
        return -1;
    }
    char *mapped = S_ISREG(status.st_mode) && status.st_size > 0
                       ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                       : MAP_FAILED;
    close(file);
    if (mapped == MAP_FAILED)
        return fth_fail(error, "'%s' is not a plug-in made by `fathom wrap`", path);
    int result = read_rows(path, mapped, (uint64_t)status.st_size, text, length, &foreign, error);
    munmap(mapped, (size_t)status.st_size);
    if (is_foreign)
        *is_foreign = foreign;
    return result;
}
