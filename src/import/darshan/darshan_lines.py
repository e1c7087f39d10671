# Reads a log of Darshan with Darshan's own package for Python, and prints what is in it as lines for
# `fathom import` (darshan_log.c, which has this text inside and checks each line). Fields are separated
# by tabs; in texts, a backslash stands before what would end a field: \t, \n, \\. Numbers are decimal,
# times in nanoseconds, -1 is "not known".
#
#     fathom-darshan 1                                  the first line
#     job VERSION PROCESSES START END                   of the run, since 1970
#     command TEXT                                      the command line
#     module NAME PARTIAL                               PARTIAL is 1: Darshan ran out of memory for it
#     file PATH                                         these are numbered as they come, from 0
#     counters MODULE RANK FILE NUMBER...               in the order of COUNTERS; RANK -1: all ranks
#     trace MODULE RANK FILE HOST                       of DXT; its accesses follow
#     r OFFSET BYTES START END                          a read, since the start of the run
#     w OFFSET BYTES START END
#     fail TEXT                                         the last line, if the log cannot be read
#     end                                               the last line otherwise
import sys

sys.path = [folder for folder in sys.path if folder]  # nothing of the current folder
import os  # noqa: E402
import struct  # noqa: E402

SIZES = ["0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"]
# What is printed of a record: {} is the module's own prefix. The first name that the module has counts.
COUNTERS = [
    ["{}_OPENS", "{}_INDEP_OPENS"],
    ["{}_COLL_OPENS"],
    ["{}_READS", "{}_INDEP_READS"],
    ["{}_WRITES", "{}_INDEP_WRITES"],
    ["{}_COLL_READS"],
    ["{}_COLL_WRITES"],
    ["{}_SPLIT_READS"],
    ["{}_SPLIT_WRITES"],
    ["{}_NB_READS"],
    ["{}_NB_WRITES"],
    ["{}_SEEKS"],
    ["{}_STATS"],
    ["{}_FSYNCS", "{}_SYNCS", "{}_FLUSHES"],
    ["{}_BYTES_READ"],
    ["{}_BYTES_WRITTEN"],
    ["{}_CONSEC_READS"],
    ["{}_CONSEC_WRITES"],
    ["{}_SEQ_READS"],
    ["{}_SEQ_WRITES"],
    ["{}_RW_SWITCHES"],
    ["{}_FILE_NOT_ALIGNED"],
    ["{}_F_READ_TIME"],
    ["{}_F_WRITE_TIME"],
    ["{}_F_META_TIME"],
]
COUNTERS += [["{}_SIZE_READ_" + size, "{}_SIZE_READ_AGG_" + size] for size in SIZES]
COUNTERS += [["{}_SIZE_WRITE_" + size, "{}_SIZE_WRITE_AGG_" + size] for size in SIZES]
RECORDS = {"POSIX": "struct darshan_posix_file *", "MPI-IO": "struct darshan_mpiio_file *", "STDIO": "struct darshan_stdio_file *"}
TRACES = "DXT_POSIX", "DXT_MPIIO"


class Damaged(Exception):
    pass


def put(*fields):
    out = []
    for field in fields:
        if isinstance(field, bytes):
            field = field.replace(b"\\", b"\\\\").replace(b"\t", b"\\t").replace(b"\n", b"\\n")
        else:
            field = str(field).encode("utf-8", "surrogateescape")
        out.append(field)
    sys.stdout.buffer.write(b"\t".join(out) + b"\n")


def nanoseconds(seconds):
    return round(seconds * 1000000000)


def records(reader, log, module, kind):
    """Each record of a module. The package's own functions take damage for the end."""
    index = reader.log_get_modules(log)[module]["idx"]
    while True:
        place = reader.ffi.new("void **")
        got = reader.libdutil.darshan_log_get_record(log["handle"], index, place)
        if got < 0:
            raise Damaged("its records of " + module + " cannot be read")
        if got == 0 or place[0] == reader.ffi.NULL:
            return
        yield reader.ffi.cast(kind, place[0])
        reader.libdutil.darshan_free(place[0])


def put_job(reader, log):
    job = reader.log_get_job(log)
    start = job.get("start_time_sec", job.get("start_time", 0)) * 1000000000 + job.get("start_time_nsec", 0)
    end = job.get("end_time_sec", job.get("end_time", 0)) * 1000000000 + job.get("end_time_nsec", 0)
    put("job", job["log_ver"], job["nprocs"], start, end)
    command = reader.ffi.new("char[]", 8192)
    if reader.libdutil.darshan_log_get_exe(log["handle"], command) < 0:
        raise Damaged("its command line cannot be read")
    put("command", reader.ffi.string(command, 8191))


def put_files(reader, log):
    """The number of each file, by the number that Darshan has for it."""
    ffi, numbers = reader.ffi, {}
    names, count = ffi.new("struct darshan_name_record **"), ffi.new("int *")
    reader.libdutil.darshan_log_get_name_records(log["handle"], names, count)
    if count[0] <= 0 or names[0] == ffi.NULL:
        raise Damaged("its names of files cannot be read")
    for i in range(count[0]):
        numbers[names[0][i].id] = i
        put("file", ffi.string(names[0][i].name))
    return numbers


def put_counters(reader, log, module, numbers):
    prefix = "MPIIO" if module == "MPI-IO" else module
    integers = {name: i for i, name in enumerate(reader.counter_names(module))}
    times = {name: i for i, name in enumerate(reader.fcounter_names(module))}
    which = [next((name for name in (choice.format(prefix) for choice in choices) if name in integers or name in times), None)
             for choices in COUNTERS]
    for record in records(reader, log, module, RECORDS[module]):
        values = [-1 if name is None else record.counters[integers[name]] if name in integers else
                  nanoseconds(record.fcounters[times[name]]) for name in which]
        put("counters", module, record.base_rec.rank, numbers.get(record.base_rec.id, -1), *values)


def put_trace(reader, log, module, numbers):
    ffi, head = reader.ffi, reader.ffi.sizeof("struct dxt_file_record")
    one = struct.Struct("=qqdd")
    if ffi.sizeof("struct segment_info") != one.size:
        raise Damaged("this version of the package darshan has another format of DXT")
    for record in records(reader, log, module, "struct dxt_file_record *"):
        writes, reads = record.write_count, record.read_count
        put("trace", module, record.base_rec.rank, numbers.get(record.base_rec.id, -1), ffi.string(record.hostname, 64))
        if writes < 0 or reads < 0:
            raise Damaged("a record of " + module + " has less than no accesses")
        accesses = one.iter_unpack(ffi.buffer(ffi.cast("char *", record) + head, (writes + reads) * one.size))
        for i, (offset, length, start, end) in enumerate(accesses):
            put("w" if i < writes else "r", offset, length, nanoseconds(start), nanoseconds(end))


def put_log(reader, path):
    log = {"handle": reader.libdutil.darshan_log_open(os.fsencode(path)), "modules": None, "name_records": None}
    if log["handle"] == reader.ffi.NULL:
        raise Damaged("it is no log of Darshan, or a damaged one")
    put_job(reader, log)
    modules = reader.log_get_modules(log)
    for module, facts in modules.items():
        put("module", module, int(facts.get("partial_flag", False)))
    numbers = put_files(reader, log)
    for module in RECORDS:
        if module in modules:
            put_counters(reader, log, module, numbers)
    for module in TRACES:
        if module in modules:
            put_trace(reader, log, module, numbers)


put("fathom-darshan", 1)
try:
    try:
        from darshan.backend import cffi_backend
    except Exception as why:  # it also looks for its library
        text = "python3 cannot load its package darshan, which reads such logs (pip install darshan): %s" % why
        put("fail", text.encode("utf-8", "replace"))
        sys.exit(0)
    put_log(cffi_backend, sys.argv[1])
    put("end")
except BrokenPipeError:
    os._exit(1)
except Exception as why:
    put("fail", str(why).encode("utf-8", "replace"))
