/* Looking for instructions that make queues. */
#include "prefix/queue_code.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- instructions ---- */

#if defined __x86_64__

enum { IO_URING_SETUP = 0xa9 /* the low byte of 425 */, IO_SETUP = 0xce, NEAR = 64 /* bytes */ };

static bool is_system_call(const uint8_t *at)
{
    return at[0] == 0x0f && at[1] == 0x05;
}

static const uint8_t *next_system_call(const uint8_t *at, const uint8_t *end)
{
    for (; end - at >= 2 && (at = memchr(at, 0x0f, (size_t)(end - at - 1))); at++)
        if (is_system_call(at))
            return at;
    return NULL;
}

/* The byte so far before `at`; 0: there is none. */
static uint8_t before(const uint8_t *code, const uint8_t *at, int distance)
{
    return at - code >= distance ? at[-distance] : 0;
}

/* Does an instruction put the 32 bits at `at` into a register? */
static bool is_put_in_register(const uint8_t *code, const uint8_t *at)
{
    enum { MOVE = 0xb8, MOVE_LAST = 0xbf, STORE = 0xc7, REGISTER = 0xc0, REGISTER_LAST = 0xc7 };
    uint8_t last = before(code, at, 1);
    return (last >= MOVE && last <= MOVE_LAST) ||
           (last >= REGISTER && last <= REGISTER_LAST && before(code, at, 2) == STORE);
}

/* Into memory: at a register or the stack, with a distance of no, one or four bytes. */
static bool is_put_in_memory(const uint8_t *code, const uint8_t *at)
{
    enum { STORE = 0xc7, STACK = 0x24, KIND = 0xc0, TO_STACK = 4 };
    static const struct {
        int back;
        uint8_t kind;
        bool of_stack;
    } forms[] = {{2, 0, false},    {3, 0, true},    {3, 0x40, false},
                 {4, 0x40, true}, {6, 0x80, false}, {7, 0x80, true}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        uint8_t how = before(code, at, forms[i].back - 1);
        bool to_stack = (how & 7) == TO_STACK;
        if (before(code, at, forms[i].back) == STORE && (how & KIND) == forms[i].kind &&
            !(how >> 3 & 7) && to_stack == forms[i].of_stack &&
            (!to_stack || before(code, at, forms[i].back - 2) == STACK))
            return true;
    }
    return false;
}

/* The next number of this low byte and second one; NULL: none. */
static const uint8_t *next_number(const uint8_t *at, const uint8_t *end, int low, int second)
{
    for (; end - at >= 4 && (at = memchr(at, low, (size_t)(end - at - 3))); at++)
        if (at[1] == second && !at[2] && !at[3])
            return at;
    return NULL;
}

/* Is the number at `at` put into the register that a system call behind it takes it from? */
static bool is_asked_for(const uint8_t *code, const uint8_t *at, const uint8_t *end)
{
    bool is_put = before(code, at, 1) == 0xb8 ||
                  (before(code, at, 1) == 0xc0 && before(code, at, 2) == 0xc7);
    return is_put && next_system_call(at, end - at > NEAR ? at + NEAR : end);
}

/* Does the system call take its number from who calls this function: from the first register of
 * arguments, or from the stack? */
static bool is_any_call(const uint8_t *code, const uint8_t *call)
{
    const uint8_t *at = call - code > NEAR ? call - NEAR : code;
    for (; at + 4 <= call; at++)
        if ((at[0] == 0x89 && at[1] == 0xf8) || (at[0] == 0x8b && at[1] == 0x45) ||
            (at[0] == 0x8b && at[1] == 0x44 && at[2] == 0x24))
            return true;
    return false;
}

static bool has_any_call(const uint8_t *code, const uint8_t *end)
{
    for (const uint8_t *at = code; (at = next_system_call(at, end)); at++)
        if (is_any_call(code, at))
            return true;
    return false;
}

/* io_uring has a number that programs have little use for otherwise. */
bool fth_prefix_is_queue_code(const uint8_t *code, size_t length)
{
    const uint8_t *end = code + length;
    bool may_be_given = false;
    for (const uint8_t *at = code; (at = next_number(at, end, IO_SETUP, 0)); at++)
        if (is_asked_for(code, at, end))
            return true;
    for (const uint8_t *at = code; (at = next_number(at, end, IO_URING_SETUP, 1)); at++) {
        if (is_asked_for(code, at, end))
            return true;
        may_be_given |= is_put_in_register(code, at) || is_put_in_memory(code, at);
    }
    return may_be_given && has_any_call(code, end);
}

#else

enum { NEAR = 8 /* instructions */, SYSTEM_CALL = (int)0xd4000001 };

static bool is_queue_call(const uint32_t *at, const uint32_t *end)
{
    const uint32_t MOVE_425 = 0x52803520, MOVE_0_TO_8 = 0x52800008, SAME = 0x7fffffff;
    if ((*at & SAME & ~UINT32_C(31)) == MOVE_425)
        return true;
    if ((*at & SAME) != MOVE_0_TO_8)
        return false;
    for (int i = 1; i < NEAR && at + i < end; i++)
        if (at[i] == (uint32_t)SYSTEM_CALL)
            return true;
    return false;
}

bool fth_prefix_is_queue_code(const uint8_t *code, size_t length)
{
    const uint32_t *at = (const uint32_t *)(const void *)code, *end = at + length / sizeof *at;
    for (; at < end; at++)
        if (is_queue_call(at, end))
            return true;
    return false;
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

/* Ours knows the numbers, and makes no queue. What has no file is the system's. */
static bool is_of_others(const char *path)
{
    const char *name = strrchr(path, '/');
    return !*path || (name && strncmp(name, "/libfathom", 10) != 0);
}

static bool look_at_object(const struct dl_phdr_info *object)
{
    const char *path = *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
    struct stat facts;
    bool has;
    if (!is_of_others(object->dlpi_name))
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
