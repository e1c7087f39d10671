# h5py and netCDF4 as Python packages, which bring an HDF5 and a NetCDF of their own: libhdf5-8c29085d.so.310.
#: long
#: needs python3
#: package python3-venv
#: each hdf5_1.12 hdf5_1.14 hdf5_2 netcdf
declare -A versions=([hdf5_1.12]=h5py==3.8.0 [hdf5_1.14]=h5py==3.14.0 [hdf5_2]=h5py==3.16.0 [netcdf]=netCDF4==1.7.5.1.post1)
installed=$PACKAGES/hdf5_wheels-$VARIANT
prepare() {
    local numpy=numpy
    [ "$VARIANT" != hdf5_1.12 ] || numpy='numpy<2' # for which that h5py was built
    if [ ! -e "$installed/finished" ]; then
        "$PYTHON" -m venv "$installed" || leave_out "no venv (package python3-venv)"
        "$installed/bin/pip" -q install --only-binary :all: "$numpy" "${versions[$VARIANT]}" >&2 ||
            leave_out "${versions[$VARIANT]} cannot be had"
        touch "$installed/finished"
    fi
    if [ "$VARIANT" = netcdf ]; then
        cat >main.py <<'PY'
import netCDF4, numpy

with netCDF4.Dataset("data.nc", "w") as out:
    out.createDimension("time", None)
    out.createDimension("column", 100)
    heights = out.createVariable("heights", "f8", ("time", "column"), zlib=True, chunksizes=(1, 100))
    for i in range(50):
        heights[i, :] = numpy.arange(100) + i
    heights.units = "m"
with netCDF4.Dataset("data.nc") as found:
    print(found["heights"][:].sum(), found["heights"].units)
try:
    netCDF4.Dataset("nothere.nc")
except OSError as error:
    print(type(error).__name__)
PY
    else
        cat >main.py <<'PY'
import h5py, numpy

with h5py.File("data.h5", "w") as out:
    heights = out.create_group("a/b").create_dataset("heights", (100, 100), dtype="f8", chunks=(10, 100), compression="gzip", track_times=False)
    for i in range(0, 100, 10):
        heights[i : i + 10] = numpy.full((10, 100), i)
    heights.attrs["unit"] = "m"
    print(heights[55, 5], list(out["a"]), "nothing" in out)
with h5py.File("data.h5", "r") as found:
    print(found["a/b/heights"][...].sum(), found["a/b/heights"].attrs["unit"])
try:
    h5py.File("nothere.h5", "r")
except OSError as error:
    print(type(error).__name__)
PY
    fi
}
run() {
    "$installed/bin/python" main.py
}
