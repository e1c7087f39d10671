/* What the generated wrappers of HDF5 need: the types of its functions, as versions from 1.10 on
 * pass them. None of its headers is needed to build, so what only pointers point to stays
 * incomplete, and enumerations are integers. */
#ifndef FTH_CAPTURE_WRAP_WRAP_HDF5_H
#define FTH_CAPTURE_WRAP_WRAP_HDF5_H

#include "capture/wrap/wrap_bound.h"

#include <stdio.h>

typedef int64_t hid_t, hssize_t;
typedef uint64_t hsize_t, haddr_t;
typedef int herr_t, htri_t;
typedef bool hbool_t;
typedef hid_t H5E_major_t, H5E_minor_t;
typedef void *MPI_Comm, *MPI_Info;

/* Passed by value in 16 bytes. */
typedef struct {
    uint8_t data[16];
} H5O_token_t;

typedef int H5D_alloc_time_t, H5D_chunk_index_t, H5D_fill_time_t, H5D_fill_value_t, H5D_layout_t,
    H5D_mpio_actual_chunk_opt_mode_t, H5D_mpio_actual_io_mode_t, H5D_selection_io_mode_t,
    H5D_space_status_t, H5D_vds_view_t, H5E_direction_t, H5E_type_t, H5FD_class_value_t, H5FD_mem_t,
    H5FD_mpio_chunk_opt_t, H5FD_mpio_collective_opt_t, H5FD_mpio_xfer_t, H5F_close_degree_t,
    H5F_file_space_type_t, H5F_fspace_strategy_t, H5F_libver_t, H5F_mem_t, H5F_scope_t, H5G_link_t,
    H5G_obj_t, H5I_type_t, H5LT_lang_t, H5L_type_t, H5O_type_t, H5R_type_t, H5S_class_t,
    H5S_sel_type, H5S_seloper_t, H5T_class_t, H5T_cset_t, H5T_direction_t, H5T_norm_t, H5T_order_t,
    H5T_pad_t, H5T_pers_t, H5T_sign_t, H5T_str_t, H5VL_class_value_t, H5VL_subclass_t, H5Z_EDC_t,
    H5Z_SO_scale_type_t, H5Z_filter_t, H5_index_t, H5_iter_order_t;

typedef struct H5AC_cache_config_t H5AC_cache_config_t;
typedef struct H5AC_cache_image_config_t H5AC_cache_image_config_t;
typedef struct H5A_info_t H5A_info_t;
typedef struct H5ES_err_info_t {
    char bytes[1]; /* at least */
} H5ES_err_info_t;
typedef struct H5FD_class_t H5FD_class_t;
typedef struct H5FD_file_image_callbacks_t H5FD_file_image_callbacks_t;
typedef struct H5FD_hdfs_fapl_t H5FD_hdfs_fapl_t;
typedef struct H5FD_mirror_fapl_t H5FD_mirror_fapl_t;
typedef struct H5FD_onion_fapl_info_t H5FD_onion_fapl_info_t;
typedef struct H5FD_ros3_fapl_t H5FD_ros3_fapl_t;
typedef struct H5FD_splitter_vfd_config_t H5FD_splitter_vfd_config_t;
typedef struct H5FD_t H5FD_t;
typedef struct H5F_info1_t H5F_info1_t;
typedef struct H5F_info2_t H5F_info2_t;
typedef struct H5F_retry_info_t H5F_retry_info_t;
typedef struct H5F_sect_info_t H5F_sect_info_t;
typedef struct H5G_info_t H5G_info_t;
typedef struct H5G_stat_t H5G_stat_t;
typedef struct H5L_class_t H5L_class_t;
typedef struct H5L_info1_t H5L_info1_t, H5L_info_t;
typedef struct H5L_info2_t H5L_info2_t;
typedef struct H5O_info1_t H5O_info1_t, H5O_info_t;
typedef struct H5O_info2_t H5O_info2_t;
typedef struct H5O_native_info_t H5O_native_info_t;
typedef struct H5R_ref_t H5R_ref_t;
typedef struct H5T_cdata_t H5T_cdata_t;
typedef struct H5VL_class_t H5VL_class_t;
typedef struct H5VL_optional_args_t H5VL_optional_args_t;
typedef struct H5_alloc_stats_t H5_alloc_stats_t;

/* Callbacks are passed on, never called. */
typedef void *H5A_operator1_t, *H5A_operator2_t, *H5DS_iterate_t, *H5D_append_cb_t,
    *H5D_chunk_iter_op_t, *H5D_gather_func_t, *H5D_operator_t, *H5D_scatter_func_t,
    *H5ES_event_complete_func_t, *H5ES_event_insert_func_t, *H5E_auto1_t, *H5E_auto2_t,
    *H5E_walk1_t, *H5E_walk2_t, *H5FD_init_t, *H5F_flush_cb_t, *H5G_iterate_t, *H5I_free_t,
    *H5I_future_discard_func_t, *H5I_future_realize_func_t, *H5I_iterate_func_t, *H5I_search_func_t,
    *H5L_elink_traverse_t, *H5L_iterate1_t, *H5L_iterate2_t, *H5L_iterate_t, *H5MM_allocate_t,
    *H5MM_free_t, *H5M_iterate_t, *H5O_iterate1_t, *H5O_iterate2_t, *H5O_iterate_t,
    *H5O_mcdt_search_cb_t, *H5P_cls_close_func_t, *H5P_cls_copy_func_t, *H5P_cls_create_func_t,
    *H5P_iterate_t, *H5P_prp_close_func_t, *H5P_prp_compare_func_t, *H5P_prp_copy_func_t,
    *H5P_prp_create_func_t, *H5P_prp_delete_func_t, *H5P_prp_get_func_t, *H5P_prp_set_func_t,
    *H5T_conv_except_func_t, *H5T_conv_t, *H5Z_filter_func_t, *H5_atclose_func_t;

/* What the rows ask (hdf5/ask_hdf5.c). They are asked before a call, never after it: HDF5 forgets
 * its last error with the next call. Nothing is asked about what is not an identifier of the right
 * kind, as HDF5 would print that. -1: not known. */
int64_t fth_hdf5_rank(hid_t space);
int64_t fth_hdf5_coordinates(hid_t space, size_t points);
int64_t fth_hdf5_dataset_rank(hid_t dataset);
/* Bytes in memory of what is selected. */
int64_t fth_hdf5_bytes(hid_t dataset, hid_t memory_type, hid_t memory_space, hid_t file_space);
int64_t fth_hdf5_bytes_of_all(size_t count, const hid_t *datasets, const hid_t *memory_types,
                              const hid_t *memory_spaces, const hid_t *file_spaces);
int64_t fth_hdf5_attribute_bytes(hid_t attribute, hid_t memory_type);
int64_t fth_hdf5_chunk_bytes(size_t bytes);

/* What is asked once is forgotten after calls that change it (hdf5/kept.c), whether these are
 * recorded or not: what is selected in the dataspace; anything about the object; anything about any
 * object, as a dataset may be open several times. */
void fth_hdf5_selected(hid_t id);
void fth_hdf5_changed(hid_t id);
void fth_hdf5_all_changed(void);
#define FTH_HDF5_SELECTING(FUNCTION)                                                               \
    FUNCTION(H5Smodify_select)                                                                     \
    FUNCTION(H5Soffset_simple)                                                                     \
    FUNCTION(H5Sselect_adjust)                                                                     \
    FUNCTION(H5Sselect_all)                                                                        \
    FUNCTION(H5Sselect_copy)                                                                       \
    FUNCTION(H5Sselect_elements) FUNCTION(H5Sselect_hyperslab) FUNCTION(H5Sselect_none)
#define FTH_HDF5_CHANGING(FUNCTION)                                                                \
    FUNCTION(H5Aclose)                                                                             \
    FUNCTION(H5Aclose_async)                                                                       \
    FUNCTION(H5Dclose)                                                                             \
    FUNCTION(H5Dclose_async)                                                                       \
    FUNCTION(H5Idec_ref)                                                                           \
    FUNCTION(H5Oclose)                                                                             \
    FUNCTION(H5Oclose_async)                                                                       \
    FUNCTION(H5Sclose)                                                                             \
    FUNCTION(H5Sextent_copy) FUNCTION(H5Sset_extent_none) FUNCTION(H5Sset_extent_simple)           \
        FUNCTION(H5Tclose) FUNCTION(H5Tclose_async) FUNCTION(H5Tinsert) FUNCTION(H5Tpack)          \
            FUNCTION(H5Tset_fields) FUNCTION(H5Tset_offset) FUNCTION(H5Tset_precision)             \
                FUNCTION(H5Tset_size)
#define FTH_HDF5_CHANGING_ALL(FUNCTION)                                                            \
    FUNCTION(H5Dextend)                                                                            \
    FUNCTION(H5Drefresh)                                                                           \
    FUNCTION(H5Dset_extent)                                                                        \
    FUNCTION(H5Dset_extent_async)                                                                  \
    FUNCTION(H5Orefresh)                                                                           \
    FUNCTION(H5Orefresh_async)                                                                     \
    FUNCTION(H5Tcommit1)                                                                           \
    FUNCTION(H5Tcommit2) FUNCTION(H5Tcommit_anon) FUNCTION(H5Tcommit_async) FUNCTION(H5Trefresh)
#define FTH_HDF5_HOOKS(function, forget)                                                           \
    static inline void fth_before_##function(void)                                                 \
    {                                                                                              \
    }                                                                                              \
    static inline void fth_after_##function(herr_t result, hid_t id)                               \
    {                                                                                              \
        (void)result, (void)id;                                                                    \
        forget;                                                                                    \
    }
#define FTH_HDF5_AFTER_SELECTING(function) FTH_HDF5_HOOKS(function, fth_hdf5_selected(id))
#define FTH_HDF5_AFTER_CHANGING(function) FTH_HDF5_HOOKS(function, fth_hdf5_changed(id))
#define FTH_HDF5_AFTER_CHANGING_ALL(function) FTH_HDF5_HOOKS(function, fth_hdf5_all_changed())
FTH_HDF5_SELECTING(FTH_HDF5_AFTER_SELECTING)
FTH_HDF5_CHANGING(FTH_HDF5_AFTER_CHANGING)
FTH_HDF5_CHANGING_ALL(FTH_HDF5_AFTER_CHANGING_ALL)
/* Identifiers begin anew when the library comes up again. */
static inline void fth_before_H5close(void)
{
}
static inline void fth_after_H5close(herr_t result)
{
    (void)result;
    fth_hdf5_all_changed();
}

#endif
