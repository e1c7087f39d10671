/* Looking for instructions that make queues. */
#include "prefix/queue_code.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- instructions ---- */

#if defined __x86_64__

enum { NEAR = 64 /* bytes */ };

static const uint32_t numbers[] = {SYS_io_uring_setup, SYS_io_setup};

/* The two bytes are found in distances of other instructions as well, of which the last byte is 0
 * or 0xff. No instruction that begins with either is behind a system call. */
static const uint8_t *next_system_call(const uint8_t *at, const uint8_t *end)
{
    static const uint8_t code[] = {0x0f, 0x05};
    for (; (at = memmem(at, (size_t)(end - at), code, sizeof code)); at++)
        if (end - at < 3 || (at[2] && at[2] != 0xff))
            return at;
    return NULL;
}

/* The byte so far before `at`; 0: there is none. */
static uint8_t before(const uint8_t *code, const uint8_t *at, int distance)
{
    return at - code >= distance ? at[-distance] : 0;
}

/* Is the register of this instruction one of the upper eight, by the byte before it? */
static bool is_of_upper(const uint8_t *code, const uint8_t *at)
{
    enum { PREFIX = 0x40, PREFIX_LAST = 0x4f, UPPER = 1 };
    uint8_t last = before(code, at, 1);
    return last >= PREFIX && last <= PREFIX_LAST && last & UPPER;
}

/* Does the instruction at `at` put a constant into the register of numbers of system calls? */
static bool is_constant(const uint8_t *code, const uint8_t *at)
{
    bool is = at[0] == 0xb8 || (at[0] == 0xc7 && at[1] == 0xc0) ||
              ((at[0] == 0x31 || at[0] == 0x33) && at[1] == 0xc0);
    return is && !is_of_upper(code, at);
}

/* Anything else: out of a register, memory or the stack, or what is computed. */
static bool is_variable(const uint8_t *at)
{
    enum { FROM_REGISTER = 0x89, TO_REGISTER = 0x8b, ADDRESS = 0x8d, EXTEND = 0x63, POP = 0x58 };
    enum { REGISTERS = 0xc0, TO = 0x38, FROM = 0x07 };
    bool from_register =
        at[0] == FROM_REGISTER && (at[1] & REGISTERS) == REGISTERS && !(at[1] & FROM);
    bool takes = (at[0] == TO_REGISTER || at[0] == ADDRESS || at[0] == EXTEND) && !(at[1] & TO);
    return from_register || takes || at[0] == POP;
}

/* What no instruction nearby puts there is not a constant. */
static bool is_any_call(const uint8_t *code, const uint8_t *call)
{
    const uint8_t *first = call - code > NEAR ? call - NEAR : code;
    for (const uint8_t *at = call - 1; at > first; at--) {
        if (is_variable(at - 1))
            return true;
        if (is_constant(code, at - 1))
            return false;
    }
    return true;
}

static bool has_any_call(const uint8_t *code, const uint8_t *end)
{
    for (const uint8_t *at = code; (at = next_system_call(at, end)); at++)
        if (is_any_call(code, at))
            return true;
    return false;
}

/* Is the number put into the register of numbers of system calls anywhere? */
static bool has_number(const uint8_t *code, const uint8_t *end, uint32_t number)
{
    for (const uint8_t *at = code;
         (at = memmem(at, (size_t)(end - at), &number, sizeof number)); at++)
        if (before(code, at, 1) == 0xb8 ||
            (before(code, at, 1) == 0xc0 && before(code, at, 2) == 0xc7))
            return true;
    return false;
}

/* A number may be far from the call that takes it: what is here by mistake costs little. */
bool fth_prefix_is_queue_code(const uint8_t *code, size_t length)
{
    const uint8_t *end = code + length;
    if (!next_system_call(code, end))
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (has_number(code, end, numbers[i]))
            return true;
    return has_any_call(code, end);
}

#else

enum { NEAR = 16 /* instructions */, SYSTEM_CALL = (int)0xd4000001 };

/* Is the last of the instructions before a system call that concerns its number, register 8, one
 * that puts a constant there? */
static bool has_constant(const uint32_t *code, const uint32_t *call)
{
    const uint32_t CONSTANT = 0x52800000, WITHOUT = 0x7fe00000, REGISTER = 0x1f;
    for (const uint32_t *at = call; at-- > code && call - at <= NEAR;)
        if ((*at & REGISTER) == 8)
            return (*at & WITHOUT) == CONSTANT;
    return false;
}

static bool has_number(const uint32_t *code, const uint32_t *end, uint32_t number)
{
    const uint32_t WITHOUT = 0x7fffffff, CONSTANT_TO_8 = 0x52800008;
    for (const uint32_t *at = code; at < end; at++)
        if ((*at & WITHOUT) == (CONSTANT_TO_8 | number << 5))
            return true;
    return false;
}

/* Numbers that are constants of a call, however far from it, or any number. */
bool fth_prefix_is_queue_code(const uint8_t *bytes, size_t length)
{
    const uint32_t *code = (const uint32_t *)(const void *)bytes,
                   *end = code + length / sizeof *code;
    bool has_call = false;
    for (const uint32_t *at = code; at < end; at++) {
        if (*at != (uint32_t)SYSTEM_CALL)
            continue;
        has_call = true;
        if (!has_constant(code, at))
            return true;
    }
    return has_call && (has_number(code, end, SYS_io_uring_setup) ||
                        has_number(code, end, SYS_io_setup));
}

#endif

/* ---- what others have looked at: the file `code` of the instance ---- */

enum { KNOWN = 8192, TRIES = 16 };

static uint64_t *known; /* of files: a number with a bit that says what was found; 0: none */

void fth_prefix_begin_queue_code(int folder)
{
    int file = openat(folder, "code", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    void *map = file < 0 || posix_fallocate(file, 0, KNOWN * sizeof *known)
                    ? MAP_FAILED
                    : mmap(NULL, KNOWN * sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                           0);
    if (file >= 0)
        close(file);
    known = map == MAP_FAILED ? NULL : map;
}

static uint64_t mix(uint64_t number, uint64_t more)
{
    number = (number ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return number ^ number >> 29;
}

/* Even, and not 0. */
static uint64_t number_of(const struct stat *facts)
{
    uint64_t number = mix(mix(mix(facts->st_dev, facts->st_ino), (uint64_t)facts->st_size),
                          (uint64_t)facts->st_ctim.tv_sec * 1000000000 +
                              (uint64_t)facts->st_ctim.tv_nsec);
    return number < 2 ? 2 : number & ~UINT64_C(1);
}

static bool is_known(uint64_t number, bool *has)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t found = __atomic_load_n(&known[(number / 2 + i) % KNOWN], __ATOMIC_RELAXED);
        *has = found & 1;
        if ((found & ~UINT64_C(1)) == number)
            return true;
    }
    return false;
}

static void remember(uint64_t number, bool has)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t none = 0;
        if (__atomic_compare_exchange_n(&known[(number / 2 + i) % KNOWN], &none, number | has,
                                        false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}

/* ---- objects ---- */

/* What cannot be read may have anything. */
static bool look_at_code(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uint8_t *code = (const uint8_t *)object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X &&
            (!(part->p_flags & PF_R) || fth_prefix_is_queue_code(code, part->p_filesz)))
            return true;
    }
    return false;
}

static bool has_address(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD &&
            address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}

/* libc and the dynamic linker make no queue but by syscall(2), which is wrapped. Ours knows the
 * numbers, and makes none. What has no file is the system's. */
static bool is_of_others(const struct dl_phdr_info *object)
{
    const char *path = object->dlpi_name, *name = strrchr(path, '/');
    if (has_address(object, (uintptr_t)gnu_get_libc_version) ||
        (*path && object->dlpi_addr == getauxval(AT_BASE)))
        return false;
    return !*path || (name && strncmp(name, "/libfathom", 10) != 0);
}

static bool look_at_object(const struct dl_phdr_info *object)
{
    const char *path = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
    struct stat facts;
    bool has;
    if (!is_of_others(object))
        return false;
    int file = known ? open(path, O_PATH | O_CLOEXEC) : -1;
    bool is_file = file >= 0 && fstat(file, &facts) == 0;
    if (file >= 0)
        close(file);
    if (is_file && is_known(number_of(&facts), &has))
        return has;
    has = look_at_code(object);
    if (is_file)
        remember(number_of(&facts), has);
    return has;
}

static unsigned long long loaded; /* objects, ever, at the last look */

struct look {
    unsigned long long before;
    bool has;
};

static int look_at_next(struct dl_phdr_info *object, size_t size, void *data)
{
    struct look *look = data;
    (void)size;
    if (object->dlpi_adds == look->before)
        return 1;
    loaded = object->dlpi_adds;
    look->has = look_at_object(object);
    return look->has;
}

bool fth_prefix_has_queue_code(void)
{
    struct look look = {.before = loaded};
    dl_iterate_phdr(look_at_next, &look);
    return look.has;
}
