/* The trace file, as docs/format.md describes it byte for byte. All integers little-endian. */
#ifndef FTH_TRACE_RECORD_FORMAT_H
#define FTH_TRACE_RECORD_FORMAT_H

#include <stdint.h>

#define FTH_TRACE_MAGIC                                                                            \
    "\x89"                                                                                         \
    "FATHOM\n"
enum {
    FTH_TRACE_VERSION = 9,
    FTH_OLDEST_TRACE_VERSION = 4,
    FTH_TRACE_COUNTS_UNKEPT = 5,
    FTH_TRACE_SHARES_COLUMNS = 7, /* SHAP has groups, and grammars are packed */
    FTH_TRACE_DERIVES_TIMES = 8,  /* those of functions, where all times of calls are there */
    FTH_TRACE_REFERS_TO_IMAGES = 9, /* previous images by processes, and images by clocks */
    FTH_HEADER_BYTES = 32,
    FTH_SECTION_BYTES = 40
};

#define FTH_KIND(a, b, c, d)                                                                       \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
enum fth_section_kind {
    FTH_SECTION_META = FTH_KIND('M', 'E', 'T', 'A'),
    FTH_SECTION_CATALOG = FTH_KIND('C', 'A', 'T', 'L'),
    FTH_SECTION_STRINGS = FTH_KIND('S', 'T', 'R', 'S'),
    FTH_SECTION_SIGNATURES = FTH_KIND('S', 'I', 'G', 'S'),
    FTH_SECTION_GRAMMARS = FTH_KIND('G', 'R', 'A', 'M'),
    FTH_SECTION_SHAPES = FTH_KIND('S', 'H', 'A', 'P'),
    FTH_SECTION_PROCESS = FTH_KIND('P', 'R', 'O', 'C'),
    FTH_SECTION_PROCESSES = FTH_KIND('P', 'R', 'C', 'S'),
    FTH_SECTION_LINES = FTH_KIND('L', 'I', 'N', 'E'),
    FTH_SECTION_SAMPLES = FTH_KIND('S', 'A', 'M', 'P'),
    FTH_SECTION_MOUNTS = FTH_KIND('M', 'N', 'T', 'S'),
    FTH_SECTION_UNKEPT = FTH_KIND('L', 'O', 'S', 'T'),
    FTH_SECTION_SUMMED = FTH_KIND('S', 'U', 'M', 'D'),
    FTH_SECTION_WATCHED = FTH_KIND('W', 'T', 'C', 'H'),
    FTH_SECTION_UNSEEN = FTH_KIND('U', 'N', 'S', 'N'),
    FTH_SECTION_END = FTH_KIND('E', 'N', 'D', ' '),
};
enum fth_codec { FTH_CODEC_NONE = 0, FTH_CODEC_ZSTD = 1 };

struct fth_header {
    uint8_t magic[8];
    uint32_t version, flags;
    uint64_t reserved;
    uint64_t checksum; /* XXH64, seed 0, of the bytes before */
};

struct fth_section {
    uint32_t kind;
    uint16_t codec, reserved;
    uint32_t part;    /* which set of strings, signatures and grammars it belongs to */
    uint32_t process; /* of PROC: which one of its part; of PRCS: the first one */
    uint64_t stored;  /* bytes that follow in the file */
    /* bytes after decompression; of PROC and PRCS: bytes of frames, facts follow */
    uint64_t raw;
    /* XXH64 of the stored bytes, seed = kind, xor XXH64 of the 32 bytes of this head before it,
     * seed 0 */
    uint64_t checksum;
};

_Static_assert(sizeof(struct fth_header) == FTH_HEADER_BYTES, "header");
_Static_assert(sizeof(struct fth_section) == FTH_SECTION_BYTES, "section");

/* A section is compressed only where that makes it at most so much smaller: a reader takes memory
 * for the promise of a section's head, and a damaged or malicious file must not make it take
 * much. */
#define FTH_SECTION_MOST_RAW(stored) ((uint64_t)(stored)*256 + 65536)

/* Calls of a block of columns, but for the last of a track. */
enum { FTH_BLOCK_CALLS = 32768 };

#endif
