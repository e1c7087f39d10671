# Spack recipe: `spack repo add packaging/spack`. Nothing is published yet, so then, in the folder of the
# sources: `spack dev-build fathom@0.2.0`.
from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Fathom(CMakePackage):
    """Fathom records the calls of unmodified parallel programs to NetCDF, HDF5, MPI-IO, MPI, stdio
    and POSIX, reports where the time went, verifies which consistency the program's I/O needs, and
    simulates the run on other machines."""

    license("BSD-3-Clause")

    version("0.2.0")

    variant("lines", default=True, description="Source lines of calls, by libdw")
    variant("view", default=True, description="fathom view, by libmicrohttpd")
    variant("python", default=True, description="Traces in Python: fathom.open")
    variant("clusters", default=True, description="Clusters for fathom simulate, by libyaml")
    variant("hdtrace", default=True, description="HDTrace projects of fathom import, by Expat")
    variant("otf2", default=True, description="OTF2 archives of fathom export, by the OTF2 library")
    variant("fs", default=True, description="The file system fathom fs, with libsodium")
    variant("rdma", default=False, description="RDMA between servers of fathom fs, by UCX")
    variant("mount", default=True, when="+fs", description="Mounts of fathom fs, by libfuse")
    variant("instrument", default=False, description="Probes in sources, by libclang")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("binutils", type=("build", "run"))
    depends_on("zstd libs=shared,static")
    depends_on("xxhash")
    depends_on("jansson")
    depends_on("zlib")
    depends_on("uthash", type="build")
    depends_on("elfutils", when="+lines")
    depends_on("libyaml", when="+clusters")
    depends_on("libmicrohttpd", when="+view")
    depends_on("python@3.9:", when="+python")
    depends_on("expat", when="+hdtrace")
    depends_on("otf2", when="+otf2")
    depends_on("libsodium", when="+fs")
    depends_on("ucx", when="+rdma")
    depends_on("libfuse@3.12:", when="+mount")
    depends_on("llvm+clang", when="+instrument")

    conflicts("platform=darwin", msg="Fathom needs Linux and glibc")
    conflicts("platform=windows", msg="Fathom needs Linux and glibc")
