/* What the kernel counts for the whole node. Names are those of docs/fathom-samples.1.md. */
#include "machine/node_counters.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_NAME = 64, SECTOR = 512 };

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static void take_count(const struct fth_taker *taker, const char *name, const char *instance,
                       uint64_t value)
{
    fth_reading_take(taker, name, instance, FTH_SERIES_RATE, FTH_SERIES_COUNT, value);
}

static uint64_t times(uint64_t one, uint64_t other)
{
    uint64_t product;
    return __builtin_mul_overflow(one, other, &product) ? UINT64_MAX : product;
}

static void take_bytes(const struct fth_taker *taker, const char *name, const char *instance,
                       uint64_t count, uint64_t size)
{
    fth_reading_take(taker, name, instance, FTH_SERIES_RATE, FTH_SERIES_BYTES, times(count, size));
}

/* ---- CPUs ---- */

static void take_cpu(const char *at, const char *instance, const struct fth_taker *taker)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, INTERRUPTS, SOFT_INTERRUPTS, STEAL, STATES };
    uint64_t states[STATES] = {0};
    const uint64_t tick = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    if (!fth_reading_next_numbers(&at, states, STATES))
        return;
    const struct {
        const char *name;
        uint64_t ticks;
    } parts[] = {
        {"cpu.user", states[USER] + states[NICE]},
        {"cpu.system", states[SYSTEM] + states[INTERRUPTS] + states[SOFT_INTERRUPTS]},
        {"cpu.iowait", states[IOWAIT]},
        {"cpu.idle", states[IDLE]},
        {"cpu.stolen", states[STEAL]},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        fth_reading_take(taker, parts[i].name, instance, FTH_SERIES_RATE, FTH_SERIES_NANOSECONDS,
                         times(parts[i].ticks, tick));
}

void fth_node_cpus(const char *stat, const struct fth_taker *taker)
{
    char word[LONGEST_NAME];
    for (; *stat; stat = fth_reading_next_line(stat)) {
        const char *at = stat;
        uint64_t number = 0;
        if (!fth_reading_next_word(&at, word, sizeof word))
            continue;
        if (begins_with(word, "cpu"))
            take_cpu(at, word + 3, taker);
        else if (!fth_reading_next_number(&at, &number))
            continue;
        else if (strcmp(word, "intr") == 0)
            take_count(taker, "system.interrupts", "", number);
        else if (strcmp(word, "ctxt") == 0)
            take_count(taker, "system.switches", "", number);
        else if (strcmp(word, "processes") == 0)
            take_count(taker, "system.forks", "", number);
        else if (strcmp(word, "procs_running") == 0)
            fth_reading_take(taker, "system.running", "", FTH_SERIES_GAUGE, FTH_SERIES_COUNT,
                             number);
        else if (strcmp(word, "procs_blocked") == 0)
            fth_reading_take(taker, "system.blocked", "", FTH_SERIES_GAUGE, FTH_SERIES_COUNT,
                             number);
    }
}

/* "0.42 ...": of the last minute. */
void fth_node_load(const char *loadavg, const struct fth_taker *taker)
{
    uint64_t whole, hundredths;
    if (fth_reading_next_number(&loadavg, &whole) && *loadavg++ == '.' &&
        fth_reading_next_number(&loadavg, &hundredths) && hundredths < 100)
        fth_reading_take(taker, "system.load", "", FTH_SERIES_GAUGE, FTH_SERIES_THOUSANDTHS,
                         times(whole, 1000) + hundredths * 10);
}

/* ---- memory ---- */

/* The number behind a key at the start of a line. */
static bool find_number(const char *text, const char *key, uint64_t *number)
{
    for (; *text; text = fth_reading_next_line(text))
        if (begins_with(text, key)) {
            const char *at = text + strlen(key);
            return fth_reading_next_number(&at, number);
        }
    return false;
}

void fth_node_memory(const char *meminfo, const struct fth_taker *taker)
{
    static const struct {
        const char *key, *name;
    } known[] = {
        {"MemTotal:", "memory.total"},
        {"MemFree:", "memory.free"},
        {"MemAvailable:", "memory.available"},
        {"Buffers:", "memory.buffers"},
        {"Cached:", "memory.cached"},
        {"Shmem:", "memory.shared"},
        {"Dirty:", "memory.dirty"},
        {"Writeback:", "memory.writeback"},
    };
    uint64_t number, unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (find_number(meminfo, known[i].key, &number))
            fth_reading_take(taker, known[i].name, "", FTH_SERIES_GAUGE, FTH_SERIES_BYTES,
                             times(number, 1024));
    if (find_number(meminfo, "SwapTotal:", &number) && find_number(meminfo, "SwapFree:", &unused))
        fth_reading_take(taker, "swap.used", "", FTH_SERIES_GAUGE, FTH_SERIES_BYTES,
                         times(number > unused ? number - unused : 0, 1024));
}

void fth_node_swapping(const char *vmstat, const struct fth_taker *taker)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t pages;
    if (find_number(vmstat, "pswpin ", &pages))
        take_bytes(taker, "swap.in", "", pages, page);
    if (find_number(vmstat, "pswpout ", &pages))
        take_bytes(taker, "swap.out", "", pages, page);
}

/* ---- disks and network ---- */

void fth_node_disks(const char *diskstats, bool (*is_disk)(const char *name),
                    const struct fth_taker *taker)
{
    enum {
        READS,
        READS_MERGED,
        READ,
        READING,
        WRITES,
        WRITES_MERGED,
        WRITTEN,
        WRITING,
        NOW,
        BUSY,
        FIELDS
    };
    for (; *diskstats; diskstats = fth_reading_next_line(diskstats)) {
        const char *at = diskstats;
        char name[LONGEST_NAME];
        uint64_t numbers[2], fields[FIELDS];
        if (!fth_reading_next_numbers(&at, numbers, 2) ||
            !fth_reading_next_word(&at, name, sizeof name) ||
            !fth_reading_next_numbers(&at, fields, FIELDS) || !is_disk(name))
            continue;
        take_bytes(taker, "disk.read", name, fields[READ], SECTOR);
        take_bytes(taker, "disk.written", name, fields[WRITTEN], SECTOR);
        take_count(taker, "disk.reads", name, fields[READS]);
        take_count(taker, "disk.writes", name, fields[WRITES]);
        fth_reading_take(taker, "disk.busy", name, FTH_SERIES_RATE, FTH_SERIES_NANOSECONDS,
                         times(fields[BUSY], 1000000));
    }
}

void fth_node_network(const char *dev, const struct fth_taker *taker)
{
    enum { RECEIVED, PACKETS_RECEIVED, SENT = 8, PACKETS_SENT, FIELDS };
    for (; *dev; dev = fth_reading_next_line(dev)) {
        char name[LONGEST_NAME];
        uint64_t fields[FIELDS];
        const char *from = dev + strspn(dev, " \t");
        size_t length = strcspn(from, ":\n");
        const char *at = from + length + 1;
        if (from[length] != ':' || length == 0 || length >= sizeof name ||
            !fth_reading_next_numbers(&at, fields, FIELDS))
            continue;
        memcpy(name, from, length);
        name[length] = 0;
        take_bytes(taker, "net.received", name, fields[RECEIVED], 1);
        take_bytes(taker, "net.sent", name, fields[SENT], 1);
        take_count(taker, "net.packets_received", name, fields[PACKETS_RECEIVED]);
        take_count(taker, "net.packets_sent", name, fields[PACKETS_SENT]);
    }
}

/* ---- clients of file systems ---- */

/* Of the lines of operations only the number of version 3's reads and writes has a place that all
 * kernels agree on. */
void fth_node_nfs(const char *nfs, const struct fth_taker *taker)
{
    enum { CALLS, REPEATED, OPERATIONS_BEFORE_READ = 7 };
    uint64_t numbers[OPERATIONS_BEFORE_READ + 2];
    for (; *nfs; nfs = fth_reading_next_line(nfs)) {
        const char *at = nfs;
        char word[LONGEST_NAME];
        if (!fth_reading_next_word(&at, word, sizeof word))
            continue;
        if (strcmp(word, "rpc") == 0 && fth_reading_next_numbers(&at, numbers, 2)) {
            take_count(taker, "nfs.calls", "", numbers[CALLS]);
            take_count(taker, "nfs.repeated", "", numbers[REPEATED]);
        } else if (strcmp(word, "proc3") == 0 &&
                   fth_reading_next_numbers(&at, numbers, OPERATIONS_BEFORE_READ + 2)) {
            take_count(taker, "nfs.reads", "", numbers[OPERATIONS_BEFORE_READ]);
            take_count(taker, "nfs.writes", "", numbers[OPERATIONS_BEFORE_READ + 1]);
        }
    }
}

/* "device SERVER:/PATH mounted on /MOUNT with fstype nfs4 ...", and further down "bytes:" with what
 * was read and written: by the program through the cache, directly, and from and to the server. */
void fth_node_nfs_mounts(const char *mountstats, const struct fth_taker *taker)
{
    enum { FROM_SERVER = 4, TO_SERVER, FIELDS };
    char mount[4 * LONGEST_NAME] = "";
    for (; *mountstats; mountstats = fth_reading_next_line(mountstats)) {
        const char *at = mountstats;
        char word[LONGEST_NAME], type[LONGEST_NAME];
        uint64_t fields[FIELDS];
        if (!fth_reading_next_word(&at, word, sizeof word))
            continue;
        if (strcmp(word, "device") == 0) {
            bool is_nfs =
                fth_reading_next_word(&at, type, sizeof type) &&
                fth_reading_next_word(&at, word, sizeof word) && strcmp(word, "mounted") == 0 &&
                fth_reading_next_word(&at, word, sizeof word) && strcmp(word, "on") == 0 &&
                fth_reading_next_word(&at, mount, sizeof mount) &&
                fth_reading_next_word(&at, word, sizeof word) && strcmp(word, "with") == 0 &&
                fth_reading_next_word(&at, word, sizeof word) && strcmp(word, "fstype") == 0 &&
                fth_reading_next_word(&at, type, sizeof type) && begins_with(type, "nfs");
            mount[is_nfs ? strlen(mount) : 0] = 0;
        } else if (*mount && strcmp(word, "bytes:") == 0 &&
                   fth_reading_next_numbers(&at, fields, FIELDS)) {
            take_bytes(taker, "nfs.read", mount, fields[FROM_SERVER], 1);
            take_bytes(taker, "nfs.written", mount, fields[TO_SERVER], 1);
        }
    }
}

/* "read_bytes 103 samples [bytes] 4096 1048576 104857600": how many, unit, least, most, sum. */
void fth_node_lustre(const char *stats, const char *instance, const struct fth_taker *taker)
{
    static const struct {
        const char *word, *count, *bytes;
    } known[] = {
        {"read_bytes", "lustre.reads", "lustre.read"},
        {"write_bytes", "lustre.writes", "lustre.written"},
        {"open", "lustre.opens", NULL},
        {"close", "lustre.closes", NULL},
        {"fsync", "lustre.syncs", NULL},
        {"getattr", "lustre.getattrs", NULL},
    };
    for (; *stats; stats = fth_reading_next_line(stats)) {
        const char *at = stats;
        char word[LONGEST_NAME], unused[LONGEST_NAME];
        uint64_t count, sizes[3];
        if (!fth_reading_next_word(&at, word, sizeof word) || !fth_reading_next_number(&at, &count))
            continue;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(word, known[i].word) != 0)
                continue;
            take_count(taker, known[i].count, instance, count);
            if (known[i].bytes && fth_reading_next_word(&at, unused, sizeof unused) &&
                fth_reading_next_word(&at, unused, sizeof unused) &&
                fth_reading_next_numbers(&at, sizes, 3))
                take_bytes(taker, known[i].bytes, instance, sizes[2], 1);
        }
    }
}
