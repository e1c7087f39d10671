"""check.py TEMPLATE LIBRARY RANKS FOLDER: files of a program of `fathom generate` have what its template computes. They are read without the library
that wrote them: raw files by their layout, PnetCDF by ncdump (NetCDF), HDF5 and NetCDF-4 by h5dump."""
import os
import re
import struct
import subprocess
import sys

FORMATS = {"double": "d", "float": "f", "int": "i"}


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d[\d.e+-]*", text)]


def raw(path, name):
    """(values, lengths)"""
    with open(path, "rb") as file:
        content = file.read()
    with open(path + ".layout") as file:
        lines = [line.split() for line in file]
    records = next(line for line in lines if line[0] == "records")
    line = next(line for line in lines if line[:2] == ["variable", name])
    item, at, grows = int(line[3]), int(line[5]), "record" in line
    lengths = [int(word) for word in line[8 if grows else 6:]]
    form = FORMATS.get(line[2], "dddfi")
    per_item = len(form)
    if not grows:
        count = 1
        for length in lengths:
            count *= length
        return struct.unpack("=" + form * count, content[at:at + count * item]), lengths
    size, values, count = int(records[4]), [], 1
    for length in lengths[1:]:
        count *= length
    at += int(records[2])
    while at + count * item <= len(content):
        values += struct.unpack("=" + form * count, content[at:at + count * item])
        at += size
    assert per_item == 1
    return values, [len(values) // count] + lengths[1:]


def by_ncdump(path, name):
    text = subprocess.run(["ncdump", "-p", "9,17", "-v", name, path], check=True, capture_output=True, text=True).stdout
    lengths = {}
    for word, length, current in re.findall(r"(\w+) = (\d+|UNLIMITED) ;(?: // \((\d+) currently\))?", text):
        lengths[word] = int(current or length)
    dims = re.search(r"\b%s\(([^)]*)\)" % name, text).group(1).split(", ")
    data = text[text.index("data:"):]
    return numbers(re.search(r"\b%s =([^;]*);" % name, data).group(1)), [lengths[dim] for dim in dims]


def by_h5dump(path, name):
    text = subprocess.run(["h5dump", "-y", "-w", "0", "-m", "%.17g", "-d", name, path], check=True, capture_output=True, text=True).stdout
    lengths = [int(word) for word in re.search(r"SIMPLE { \( ([\d, ]+) \)", text).group(1).split(",")]
    data = text[text.index("DATA {"):]
    if "ATTRIBUTE" in data:
        data = data[:data.index("ATTRIBUTE")]
    return numbers(data), lengths


def read(library, path, name):
    return {"posix": raw, "mpiio": raw, "pnetcdf": by_ncdump, "hdf5": by_h5dump, "netcdf4": by_h5dump}[library](path, name)


def expect(library, path, name, lengths, values):
    found, own = read(library, path, name)
    assert own == lengths, f"{name}: lengths {own}, not {lengths}"
    assert len(found) == len(values), f"{name}: {len(found)} values, not {len(values)}"
    for i, (one, other) in enumerate(zip(found, values)):
        assert abs(one - other) <= 1e-6 * max(1, abs(other)), f"{name}[{i}] is {one}, not {other}"


def heat(library, ranks):
    rows, columns = 64, 96
    now = [[y + x / 1000 for x in range(columns)] for y in range(rows)]
    for _ in range(20):
        padded = [[0.0] * columns] + now + [[0.0] * columns]
        for y in range(1, rows + 1):
            now[y - 1] = [padded[y][0]] + [
                (padded[y - 1][x] + padded[y + 1][x] + padded[y][x - 1] + padded[y][x + 1]) / 4 for x in range(1, columns - 1)] + [padded[y][-1]]
    expect(library, "heat.dat", "temperature", [rows, columns], [value for row in now for value in row])


def s3d(library, ranks):
    for checkpoint in range(3):
        for name, components, first in ("mass", 11, 0), ("velocity", 3, 20), ("pressure", 1, 30), ("temperature", 1, 40):
            values = [1e6 * checkpoint + 1e4 * (first + c) + point for c in range(components) for point in range(8 * 12 * 16)]
            lengths = ([components] if components > 1 else []) + [8, 12, 16]
            expect(library, f"field.{checkpoint}", name, lengths, values)


def flash(library, ranks):
    for number, name in enumerate(("dens", "pres", "temp", "velx", "vely", "velz")):
        values = [number * 1e6 + block * 1e3 + cell for block in range(5 * ranks) for cell in range(512)]
        expect(library, "flash.checkpoint", name, [5 * ranks, 8, 8, 8], values)


def particles(library, ranks):
    counts = [100 + 37 * rank for rank in range(ranks)]
    if ranks > 1:
        counts[-1] = 0
    every = range(sum(counts))
    places = [i + j * 0.25 for i in every for j in range(3)]
    if library == "pnetcdf": # a variable for each member
        expect(library, "particles.out", "swarm_position", [len(every), 3], places)
        expect(library, "particles.out", "swarm_mass", [len(every)], [i / 2 for i in every])
        expect(library, "particles.out", "swarm_number", [len(every)], every)
        return
    values = []
    for i in every:
        values += places[3 * i:3 * i + 3] + [i / 2, i]
    expect(library, "particles.out", "swarm", [len(every)], values)


def series(library, ranks):
    expect(library, "series.out", "seconds", [5], [step / 2 for step in range(5)])
    expect(library, "series.out", "height", [5, 12, 20], [step * 1000 + point for step in range(5) for point in range(240)])


def btio(library, ranks):
    expect(library, "btio.out", "u", [12, 12, 12, 5], range(12 * 12 * 12 * 5))


if __name__ == "__main__":
    os.chdir(sys.argv[4])
    globals()[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
