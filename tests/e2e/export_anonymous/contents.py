"""All that readers of an export get to see, as bytes on the standard output: files as they are, and pages of Parquet unpacked."""
import ctypes
import os
import sys

MAGIC = bytes.fromhex("28b52ffd")
zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
zstd.ZSTD_decompress.restype = zstd.ZSTD_findFrameCompressedSize.restype = ctypes.c_size_t


def unpacked(data):
    at = data.find(MAGIC)
    while at >= 0:
        rest = data[at:]
        size = zstd.ZSTD_getFrameContentSize(rest, ctypes.c_size_t(len(rest)))
        length = zstd.ZSTD_findFrameCompressedSize(rest, ctypes.c_size_t(len(rest)))
        if size < 1 << 30 and length <= len(rest):
            made = ctypes.create_string_buffer(size)
            if zstd.ZSTD_decompress(made, ctypes.c_size_t(size), rest, ctypes.c_size_t(length)) == size:
                yield made.raw
        at = data.find(MAGIC, at + 1)


for place in sys.argv[1:]:
    names = [place] if os.path.isfile(place) else [os.path.join(folder, name) for folder, _, inside in os.walk(place) for name in inside]
    for name in names:
        sys.stdout.buffer.write(name.encode() + b"\n")
        with open(name, "rb") as file:
            data = file.read()
        sys.stdout.buffer.write(data)
        for page in unpacked(data):
            sys.stdout.buffer.write(b"\n" + page)
