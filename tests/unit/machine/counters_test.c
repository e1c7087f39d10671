/* The kernel's texts, as they are and as they should not be. */
#include "machine/node_counters.h"
#include "machine/process_counters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Everything that was read, as "name:instance=value\n". */
static char taken[16384];

static void take(void *context, const struct fth_reading *reading)
{
    (void)context;
    size_t used = strlen(taken);
    snprintf(taken + used, sizeof taken - used, "%s:%s=%lld%s\n", reading->name, reading->instance,
             (long long)reading->value, reading->kind == FTH_SERIES_RATE ? "" : " now");
}

static const struct fth_taker taker = {take, NULL};

static void expect(const char *line)
{
    if (!strstr(taken, line))
        fail_msg("no '%s' in:\n%s", line, taken);
}

static bool any_disk(const char *name)
{
    return strcmp(name, "sda1") != 0;
}

/* ---- as they are ---- */

static const char stat_text[] = "cpu  100 20 30 4000 50 6 7 8 9 10\n"
                                "cpu0 60 10 20 2000 25 3 4 5 0 0\n"
                                "intr 123456 0 9 0\nctxt 98765\nbtime 1700000000\n"
                                "processes 4321\nprocs_running 3\nprocs_blocked 1\n";
static const char meminfo_text[] =
    "MemTotal:       16384 kB\nMemFree:  1024 kB\nMemAvailable: 2048 kB\n"
    "Buffers: 1 kB\nCached: 10 kB\nSwapCached: 99 kB\nSwapTotal: 100 kB\n"
    "SwapFree: 40 kB\nDirty: 4 kB\nWriteback: 2 kB\nShmem: 3 kB\n";
static const char disk_text[] = "   8       0 sda 11 2 30 4 15 6 70 8 0 9 10 0 0 0 0\n"
                                "   8       1 sda1 1 2 3 4 5 6 7 8 9 10 11\n";
static const char net_text[] =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
    "    lo: 1000       10    0    0    0     0          0         0     2000      20    0\n"
    "  ib0:5 6 0 0 0 0 0 0 7 8 0 0 0 0 0 0\n";
static const char nfs_text[] =
    "net 0 0 0 0\nrpc 500 3 500\n"
    "proc3 22 1 2 3 4 5 6 77 88 9 10 11 12 13 14 15 16 17 18 19 20 21 22\n";
static const char mountstats_text[] =
    "device tmpfs mounted on /run with fstype tmpfs\n"
    "device server:/home mounted on /home with fstype nfs4 statvers=1.1\n"
    "\topts:\trw\n\tbytes:\t1 2 3 4 500 600 7 8\n";
static const char lustre_text[] = "snapshot_time             1400000000.1 secs.usecs\n"
                                  "read_bytes                12 samples [bytes] 4096 1048576 777\n"
                                  "write_bytes               13 samples [bytes] 1 2 888\n"
                                  "open                      5 samples [regs]\n";
static const char process_text[] =
    "4711 (a ) b) S 1 4711 4711 0 -1 4194560 1000 0 20 0 300 40 0 0 20 0 6 0 55555 1000000 250 "
    "18446744073709551615 1 1 0\n";

static void node_is_read(void **state)
{
    (void)state;
    char line[64];
    long tick = 1000000000 / sysconf(_SC_CLK_TCK);
    *taken = 0;
    fth_node_cpus(stat_text, &taker);
    snprintf(line, sizeof line, "cpu.user:=%ld\n", 120 * tick);
    expect(line);
    snprintf(line, sizeof line, "cpu.system:0=%ld\n", 27 * tick);
    expect(line);
    expect("system.interrupts:=123456\n");
    expect("system.switches:=98765\n");
    expect("system.forks:=4321\n");
    expect("system.running:=3 now\n");
    expect("system.blocked:=1 now\n");
    fth_node_load("12.34 1.00 0.50 2/100 999\n", &taker);
    expect("system.load:=12340 now\n");
    fth_node_memory(meminfo_text, &taker);
    expect("memory.total:=16777216 now\n");
    expect("memory.cached:=10240 now\n");
    expect("memory.dirty:=4096 now\n");
    expect("swap.used:=61440 now\n");
    fth_node_swapping("nr_free_pages 5\npswpin 2\npswpout 3\n", &taker);
    snprintf(line, sizeof line, "swap.out:=%ld\n", 3 * sysconf(_SC_PAGESIZE));
    expect(line);
}

static void devices_are_read(void **state)
{
    (void)state;
    *taken = 0;
    fth_node_disks(disk_text, any_disk, &taker);
    expect("disk.read:sda=15360\n");
    expect("disk.written:sda=35840\n");
    expect("disk.reads:sda=11\n");
    expect("disk.busy:sda=9000000\n");
    assert_null(strstr(taken, "sda1"));
    fth_node_network(net_text, &taker);
    expect("net.received:lo=1000\n");
    expect("net.sent:lo=2000\n");
    expect("net.packets_sent:ib0=8\n");
    fth_node_nfs(nfs_text, &taker);
    expect("nfs.calls:=500\n");
    expect("nfs.repeated:=3\n");
    expect("nfs.reads:=77\n");
    expect("nfs.writes:=88\n");
    fth_node_nfs_mounts(mountstats_text, &taker);
    expect("nfs.read:/home=500\n");
    expect("nfs.written:/home=600\n");
    fth_node_lustre(lustre_text, "scratch", &taker);
    expect("lustre.reads:scratch=12\n");
    expect("lustre.read:scratch=777\n");
    expect("lustre.written:scratch=888\n");
    expect("lustre.opens:scratch=5\n");
}

static void process_is_read(void **state)
{
    (void)state;
    uint64_t born = 0;
    char line[64];
    *taken = 0;
    assert_true(fth_process_stat(process_text, &born, &taker));
    assert_int_equal(born, 55555);
    expect("process.threads:=6 now\n");
    expect("process.minor_faults:=1000\n");
    expect("process.major_faults:=20\n");
    snprintf(line, sizeof line, "process.system:=%ld\n", 40 * (1000000000 / sysconf(_SC_CLK_TCK)));
    expect(line);
    snprintf(line, sizeof line, "process.rss:=%ld now\n", 250 * sysconf(_SC_PAGESIZE));
    expect(line);
    fth_process_switches("Name:\tx\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n",
                         &taker);
    expect("process.voluntary_switches:=12\n");
    expect("process.involuntary_switches:=3\n");
    fth_process_io("rchar: 9\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 1\n",
                   &taker);
    expect("process.read:=4096\n");
    expect("process.written:=8192\n");
    assert_false(fth_process_stat("4711 (a) Z 1 2 3\n", &born, &taker));
}

/* This machine's own are understood, too. */
static void read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
}

static void this_machine_is_read(void **state)
{
    (void)state;
    static char text[1 << 20];
    uint64_t born;
    *taken = 0;
    read_file("/proc/stat", text, sizeof text);
    fth_node_cpus(text, &taker);
    expect("cpu.user:=");
    expect("system.switches:=");
    read_file("/proc/self/stat", text, sizeof text);
    assert_true(fth_process_stat(text, &born, &taker));
    assert_true(born > 0);
}

/* ---- as they should not be ---- */

static void read_all(const char *text)
{
    uint64_t born;
    *taken = 0;
    fth_node_cpus(text, &taker);
    fth_node_load(text, &taker);
    fth_node_memory(text, &taker);
    fth_node_swapping(text, &taker);
    fth_node_disks(text, any_disk, &taker);
    fth_node_network(text, &taker);
    fth_node_nfs(text, &taker);
    fth_node_nfs_mounts(text, &taker);
    fth_node_lustre(text, "x", &taker);
    fth_process_stat(text, &born, &taker);
    fth_process_switches(text, &taker);
    fth_process_io(text, &taker);
    assert_null(strstr(taken, "=-"));
}

/* Cut at any place; any byte another one. In memory of its own, so that a sanitizer sees who reads
 * on. */
static void anything_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {stat_text, meminfo_text,    disk_text,   net_text,
                                        nfs_text,  mountstats_text, lustre_text, process_text};
    static const char others[] = " \n:)9-\xff";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        for (size_t at = 0; at < length; at++) {
            char *cut = strndup(texts[i], at);
            read_all(cut);
            free(cut);
            for (const char *other = others; *other; other++) {
                char *changed = strdup(texts[i]);
                changed[at] = *other;
                read_all(changed);
                free(changed);
            }
        }
    }
}

static void large_numbers_stay_large(void **state)
{
    (void)state;
    static const char huge[] = "99999999999999999999999999999999999999999";
    char text[512];
    snprintf(text, sizeof text, "MemTotal: %s kB\n", huge);
    *taken = 0;
    fth_node_memory(text, &taker);
    expect("memory.total:=1152921504606846976 now\n");
    snprintf(text, sizeof text, "ctxt %s\ncpu %s %s 1 1 1 1 1 1\n", huge, huge, huge);
    fth_node_cpus(text, &taker);
    expect("system.switches:=1152921504606846976\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_is_read),     cmocka_unit_test(devices_are_read),
        cmocka_unit_test(process_is_read),  cmocka_unit_test(this_machine_is_read),
        cmocka_unit_test(anything_is_read), cmocka_unit_test(large_numbers_stay_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
