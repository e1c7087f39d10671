/* Mapping the parts of a file. Each is checked against the length of the file. */
#include "prefix/code_file.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#else
enum { MACHINE = EM_AARCH64 };
#endif

static bool read_at(int file, uint64_t offset, void *to, size_t bytes)
{
    return offset <= INT64_MAX && pread(file, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_parts(int file, struct fth_code_file *mapped)
{
    ElfW(Ehdr) head;
    if (!read_at(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != MACHINE ||
        head.e_phentsize != sizeof *mapped->parts || head.e_phnum > FTH_CODE_PARTS)
        return false;
    mapped->code.parts = mapped->parts;
    mapped->code.part_count = head.e_phnum;
    return read_at(file, head.e_phoff, mapped->parts, head.e_phnum * sizeof *mapped->parts);
}

/* Addresses are those behind the first page. */
static bool reserve(struct fth_code_file *mapped, size_t page)
{
    const uint64_t MOST = UINT64_C(1) << 40;
    uint64_t length = 0;
    for (size_t i = 0; i < mapped->code.part_count; i++) {
        const ElfW(Phdr) *part = &mapped->parts[i];
        if (part->p_type != PT_LOAD)
            continue;
        if (part->p_vaddr > MOST || part->p_filesz > MOST)
            return false;
        if (part->p_vaddr + part->p_filesz > length)
            length = part->p_vaddr + part->p_filesz;
    }
    mapped->length = (length + page) / page * page;
    mapped->map =
        mmap(NULL, mapped->length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mapped->code.base = (uintptr_t)mapped->map;
    return mapped->map != MAP_FAILED;
}

static bool map_part(int file, uint64_t file_length, const struct fth_code_file *mapped,
                     const ElfW(Phdr) * part, size_t page)
{
    uint64_t before = part->p_vaddr % page;
    if (part->p_offset % page != before || part->p_offset > file_length ||
        part->p_filesz > file_length - part->p_offset)
        return false;
    return mmap((char *)mapped->map + (part->p_vaddr - before), part->p_filesz + before, PROT_READ,
                MAP_PRIVATE | MAP_FIXED, file, (off_t)(part->p_offset - before)) != MAP_FAILED;
}

static bool map_all(int file, const struct fth_code_file *mapped, size_t page)
{
    struct stat facts;
    if (fstat(file, &facts))
        return false;
    for (size_t i = 0; i < mapped->code.part_count; i++) {
        const ElfW(Phdr) *part = &mapped->parts[i];
        if (part->p_type == PT_LOAD && part->p_filesz &&
            !map_part(file, (uint64_t)facts.st_size, mapped, part, page))
            return false;
    }
    return true;
}

bool fth_code_file_map(int file, struct fth_code_file *mapped)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *mapped = (struct fth_code_file){.map = NULL};
    if (!read_parts(file, mapped) || !reserve(mapped, page))
        return false;
    if (map_all(file, mapped, page))
        return true;
    fth_code_file_unmap(mapped);
    return false;
}

void fth_code_file_unmap(struct fth_code_file *mapped)
{
    munmap(mapped->map, mapped->length);
}
