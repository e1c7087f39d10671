"""A chunked, compressed dataset, written in pieces and read back; h5py counts its identifiers with H5Iinc_ref and H5Idec_ref."""
import h5py
import numpy

with h5py.File("out.h5", "w") as out:
    data = out.create_group("a/b").create_dataset("x", (100, 100), dtype="f8", chunks=(10, 100), compression="gzip")
    for i in range(0, 100, 10):
        data[i : i + 10] = numpy.full((10, 100), i)
    data.attrs["unit"] = "m"
    print(data[55, 5], data.shape, list(out["a"]), list(data.attrs))
    print("nothing" in out)
with h5py.File("out.h5", "r") as found:
    print(float(found["a/b/x"][...].sum()))
