/* A table of advice: for each library, and each package of Python that hides one, what to set for
 * which end. */
#include "analysis/passes/tuning_hints.h"

#include <string.h>

struct words {
    const char *layer;
    const char *hints[FTH_HINTS];
};

/* h5py, netCDF4, mpi4py */
static const struct words of_python[] = {
    {"hdf5",
     {
         [FTH_HINT_LARGER] = "Read and assign larger slices (dataset[a:b] = array, not element by "
                             "element), larger chunks (create_dataset(..., chunks=...)), or a "
                             "larger chunk cache (h5py.File(..., rdcc_nbytes=...)).",
         [FTH_HINT_TOGETHER] =
             "Open the file on all ranks (h5py.File(..., driver='mpio', comm=...)) and access the "
             "dataset collectively: with dataset.collective: dataset[...] = ...",
         [FTH_HINT_BUFFER] = "Larger chunks (create_dataset(..., chunks=...)) and a chunk cache "
                             "that holds them (h5py.File(..., rdcc_nbytes=...)).",
         [FTH_HINT_UNUSED] = "Chunks that fit the slices that are accessed (create_dataset(..., "
                             "chunks=...)), and a chunk cache that holds them (rdcc_nbytes).",
         [FTH_HINT_ALIGNED] = "Align objects in the file (h5py.File(..., alignment_threshold=..., "
                              "alignment_interval=...)), or choose chunks of whole stripes.",
         [FTH_HINT_OBJECTS] = "Fewer and larger datasets, attributes together, fewer openings of "
                              "the file; libver='latest' writes less metadata.",
         [FTH_HINT_KEPT] = "Open the dataset once before the loop (dataset = file['name']), and "
                           "keep it: what HDF5 keeps of it, its cache of chunks among others, "
                           "goes each time it is closed. Then read and assign larger slices.",
     }},
    {"netcdf",
     {
         [FTH_HINT_LARGER] = "Read and assign larger slices (variable[a:b] = array), larger chunks "
                             "(createVariable(..., chunksizes=...)), or a larger chunk cache "
                             "(variable.set_var_chunk_cache).",
         [FTH_HINT_TOGETHER] = "Open the file on all ranks (Dataset(..., parallel=True, comm=...)) "
                               "and call variable.set_collective(True).",
         [FTH_HINT_BUFFER] = "Larger chunks (createVariable(..., chunksizes=...)) and a chunk "
                             "cache that holds them (variable.set_var_chunk_cache).",
         [FTH_HINT_UNUSED] = "Chunks that fit the slices that are accessed (createVariable(..., "
                             "chunksizes=...)), and a chunk cache that holds them.",
         [FTH_HINT_ALIGNED] = "Choose chunks of whole stripes (createVariable(..., "
                              "chunksizes=...)).",
         [FTH_HINT_OBJECTS] = "Define all dimensions, variables and attributes at once, before "
                              "data are written.",
     }},
    {"mpiio",
     {
         [FTH_HINT_LARGER] = "Larger arrays in each call, or a datatype for all pieces of a rank.",
         [FTH_HINT_TOGETHER] = "Set a view for the pieces of a rank (File.Set_view) and use the "
                               "collective call (File.Write_all, File.Read_all): it makes few "
                               "large accesses of all of them.",
     }},
};

static const struct words of_libraries[] = {
    {"stdio",
     {
         [FTH_HINT_LARGER] = "A larger buffer: setvbuf(stream, buffer, _IOFBF, size) before the "
                             "first use, with memory of the program (of NULL, glibc ignores the "
                             "size).",
         [FTH_HINT_BUFFER] = "A larger buffer: setvbuf(stream, buffer, _IOFBF, size) before the "
                             "first use, with memory of the program (of NULL, glibc ignores the "
                             "size).",
         [FTH_HINT_UNUSED] = "A smaller buffer for accesses here and there (setvbuf), or pread.",
     }},
    {"mpiio",
     {
         [FTH_HINT_LARGER] = "Larger pieces, or a datatype for all pieces of a rank in one call.",
         [FTH_HINT_TOGETHER] = "Set a file view for the pieces of a process and use the "
                               "collective call (its name ends in _all): it makes few large "
                               "accesses of all of them.",
         [FTH_HINT_BUFFER] = "A larger buffer of the library (hint cb_buffer_size).",
         [FTH_HINT_UNUSED] = "Collective I/O, larger pieces in a row, or no sieving (hints "
                             "romio_ds_read, romio_ds_write).",
         [FTH_HINT_ALIGNED] = "Begin the parts of processes at multiples of it (hint "
                              "striping_unit), or set the stripe size to that of the parts.",
     }},
    {"hdf5",
     {
         [FTH_HINT_LARGER] =
             "Larger hyperslabs in each call, larger chunks (H5Pset_chunk) and chunk cache "
             "(H5Pset_chunk_cache), larger blocks of metadata (H5Pset_meta_block_size, "
             "H5Pset_page_buffer_size).",
         [FTH_HINT_TOGETHER] =
             "Write and read collectively: H5Pset_dxpl_mpio(plist, H5FD_MPIO_COLLECTIVE), given "
             "to H5Dwrite and H5Dread by all ranks.",
         [FTH_HINT_BUFFER] = "Larger chunks and a chunk cache that holds them "
                             "(H5Pset_chunk_cache), or a larger sieve buffer "
                             "(H5Pset_sieve_buf_size).",
         [FTH_HINT_UNUSED] = "Chunks that fit what is accessed (H5Pset_chunk), and a chunk cache "
                             "that holds them (H5Pset_chunk_cache).",
         [FTH_HINT_ALIGNED] = "Align objects in the file (H5Pset_alignment), or choose chunks of "
                              "whole stripes.",
         [FTH_HINT_OBJECTS] = "Fewer and larger objects, attributes together, fewer closings; of "
                              "parallel programs collective metadata (H5Pset_coll_metadata_write, "
                              "H5Pset_all_coll_metadata_ops).",
         [FTH_HINT_KEPT] = "Open the dataset once before the loop, and close it behind the loop: "
                           "what HDF5 keeps of it, its cache of chunks among others, goes each "
                           "time it is closed. Then larger hyperslabs in each call.",
     }},
    {"netcdf",
     {
         [FTH_HINT_LARGER] = "More elements in each call (nc_put_vara), larger chunks "
                             "(nc_def_var_chunking) and chunk cache (nc_set_chunk_cache).",
         [FTH_HINT_TOGETHER] = "Access variables collectively: nc_var_par_access(file, variable, "
                               "NC_COLLECTIVE).",
         [FTH_HINT_BUFFER] = "Larger chunks (nc_def_var_chunking) and a chunk cache that holds "
                             "them (nc_set_chunk_cache); of classic files a larger buffer "
                             "(nc__open).",
         [FTH_HINT_UNUSED] = "Chunks that fit what is accessed (nc_def_var_chunking), and a chunk "
                             "cache that holds them (nc_set_chunk_cache).",
         [FTH_HINT_ALIGNED] = "Align objects in the file (nc_set_alignment), or choose chunks of "
                              "whole stripes.",
         [FTH_HINT_OBJECTS] = "Define all dimensions, variables and attributes at once, before "
                              "data are written.",
     }},
    {"pnetcdf",
     {
         [FTH_HINT_LARGER] = "More elements in each call, or many of them at once (ncmpi_iput_..., "
                             "and one ncmpi_wait_all).",
         [FTH_HINT_TOGETHER] = "The collective call (its name ends in _all), or ncmpi_iput_... "
                               "and one ncmpi_wait_all.",
         [FTH_HINT_BUFFER] = "A larger buffer of MPI-IO (hint cb_buffer_size).",
         [FTH_HINT_ALIGNED] = "Align variables in the file (hints nc_var_align_size, "
                              "striping_unit).",
         [FTH_HINT_OBJECTS] = "Define all dimensions, variables and attributes at once, before "
                              "data are written.",
     }},
};

/* Where the layer has no words of its own. */
static const char *const plain[FTH_HINTS] = {
    [FTH_HINT_LARGER] = "Gather pieces in memory and access them together, or change the layout "
                        "so that they lie in a row.",
    [FTH_HINT_TOGETHER] = "Collective I/O (MPI-IO, or a library on it), or gather pieces in "
                          "memory and access them together.",
    [FTH_HINT_BUFFER] = "A larger buffer in between.",
    [FTH_HINT_UNUSED] = "Accesses in a row, or smaller buffers for accesses here and there.",
    [FTH_HINT_ALIGNED] = "Begin the parts of processes at multiples of it, or set the stripe size "
                         "to that of the parts.",
    [FTH_HINT_OBJECTS] = "Ask and set less often.",
};

static bool is_python(const struct fth_survey *survey, const struct fth_example *example)
{
    const struct fth_process *process = fth_trace_process(survey->trace, example->proc);
    const char *slash = strrchr(process->executable, '/'),
               *name = slash ? slash + 1 : process->executable;
    return example->known && strncmp(name, "python", strlen("python")) == 0;
}

static bool is_reopened(struct fth_results *results, uint32_t file)
{
    results->reopened.size = sizeof(bool); /* of a pass that did not run there are none */
    return file != FTH_NO_FILE && *(bool *)fth_indexed_get(&results->reopened, file, 0);
}

static const char *words_of(const struct words *words, size_t count, const char *layer,
                            enum fth_tuning_hint hint)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].layer, layer) == 0)
            return words[i].hints[hint];
    return NULL;
}

static const char *find(bool python, const char *layer, enum fth_tuning_hint hint)
{
    const char *words =
        python ? words_of(of_python, sizeof of_python / sizeof *of_python, layer, hint) : NULL;
    return words ? words
                 : words_of(of_libraries, sizeof of_libraries / sizeof *of_libraries, layer, hint);
}

const char *fth_tuning_hint(const struct fth_survey *survey, struct fth_results *results,
                            const struct fth_example *example, uint32_t file, const char *layer,
                            enum fth_tuning_hint hint)
{
    bool python = is_python(survey, example);
    bool of_cache = hint == FTH_HINT_LARGER || hint == FTH_HINT_BUFFER || hint == FTH_HINT_UNUSED;
    const char *words =
        of_cache && is_reopened(results, file) ? find(python, layer, FTH_HINT_KEPT) : NULL;
    if (!words)
        words = find(python, layer, hint);
    return words ? words : plain[hint];
}
