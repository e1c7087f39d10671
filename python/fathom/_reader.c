/* The reader for Python: traces, and their tables as streams of Arrow (`__arrow_c_stream__`). It
 * uses the stable ABI of CPython 3.9, and nothing of Arrow but two structures. Rows are read
 * without the interpreter's lock. */
#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "analysis/select/select.h"
#include "base/memory.h"
#include "export/arrow/arrow_stream.h"

#include <fathom/trace.h>

struct trace {
    PyObject_HEAD struct fth_trace *trace;
    struct fth_pseudonyms names;
    int anonymous; /* they stand for names */
};

/* What a stream needs for as long as it is there. */
struct owner {
    struct trace *trace;
    struct fth_selection selection;
    char **texts; /* that the selection borrows */
    size_t text_count;
};

static PyObject *raise(struct fth_error *error)
{
    PyErr_SetString(PyExc_ValueError, fth_error_text(error));
    fth_error_free(error);
    return NULL;
}

/* ---- selections ---- */

static void free_owner(struct owner *owner)
{
    fth_analysis_selection_free(&owner->selection);
    for (size_t i = 0; i < owner->text_count; i++)
        free(owner->texts[i]);
    free(owner->texts);
    Py_XDECREF((PyObject *)owner->trace);
    free(owner);
}

/* A stream may be released by any thread. */
static void let_go(void *argument)
{
    PyGILState_STATE state = PyGILState_Ensure();
    free_owner(argument);
    PyGILState_Release(state);
}

static const char *keep_text(struct owner *owner, PyObject *text)
{
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    if (!bytes)
        return NULL;
    FTH_GROW(owner->texts, owner->text_count);
    char *copy = fth_text_copy(PyBytes_AsString(bytes));
    owner->texts[owner->text_count++] = copy;
    Py_DECREF(bytes);
    return copy;
}

/* A sequence as a list; one value, as a text, is a list of itself. */
static PyObject *list_of(PyObject *given)
{
    bool is_one = PyUnicode_Check(given) || PyLong_Check(given);
    return is_one ? Py_BuildValue("[O]", given) : PySequence_List(given);
}

static bool add_words(struct owner *owner, struct fth_words *words, PyObject *list)
{
    if (list == Py_None)
        return true;
    PyObject *items = list_of(list);
    bool done = items;
    for (Py_ssize_t i = 0; done && i < PyList_Size(items); i++) {
        const char *text = keep_text(owner, PyList_GetItem(items, i));
        done = text && fth_analysis_add_word(words, text);
    }
    Py_XDECREF(items);
    return done;
}

static bool add_integers(struct fth_integers *integers, PyObject *list)
{
    if (list == Py_None)
        return true;
    PyObject *items = list_of(list);
    bool done = items;
    for (Py_ssize_t i = 0; done && i < PyList_Size(items); i++) {
        long long value = PyLong_AsLongLong(PyList_GetItem(items, i));
        done = !PyErr_Occurred() && fth_analysis_add_integers(integers, value, value);
    }
    Py_XDECREF(items);
    return done;
}

static bool set_where(struct owner *owner, PyObject *where)
{
    struct fth_error *error = NULL;
    if (where == Py_None)
        return true;
    const char *text = keep_text(owner, where);
    if (!text)
        return false;
    owner->selection.where = fth_expression_parse(text, &error);
    owner->selection.where_text = text;
    if (!owner->selection.where)
        raise(error);
    return owner->selection.where;
}

static bool select_all_of(struct owner *owner, PyObject *const lists[5], PyObject *where)
{
    struct fth_selection *selection = &owner->selection;
    return add_integers(&selection->procs, lists[0]) && add_integers(&selection->ranks, lists[1]) &&
           add_words(owner, &selection->layers, lists[2]) &&
           add_words(owner, &selection->functions, lists[3]) &&
           add_words(owner, &selection->files, lists[4]) && set_where(owner, where);
}

/* ---- streams ---- */

static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

static PyObject *stream_of(struct owner *owner, const char *table, bool arguments)
{
    struct fth_error *error = NULL;
    struct ArrowArrayStream *stream = fth_new(1, sizeof *stream);
    const struct fth_arrow_request request = {
        .trace = owner->trace->trace,
        .selection = &owner->selection,
        .names = owner->trace->anonymous ? &owner->trace->names : NULL,
        .table = table,
        .arguments = arguments,
        .let_go = let_go,
        .owner = owner,
    };
    if (fth_arrow_stream(stream, &request, &error)) {
        free(stream);
        free_owner(owner);
        return raise(error);
    }
    return PyCapsule_New(stream, "arrow_array_stream", free_stream);
}

static PyObject *trace_stream(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"table",        "procs",     "ranks",     "layers", "functions",
                            "files",        "where",     "start",     "end",    "min_bytes",
                            "min_duration", "launchers", "arguments", NULL};
    PyObject *lists[] = {Py_None, Py_None, Py_None, Py_None, Py_None}, *where = Py_None;
    struct owner *owner = fth_new(1, sizeof *owner);
    struct fth_selection *selection = &owner->selection;
    const char *table;
    long long from = INT64_MIN, to = INT64_MAX, min_duration = 0;
    unsigned long long min_bytes = 0;
    int launchers = 0, with_arguments = 0;
    fth_analysis_selection_init(selection);
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s|$OOOOOOLLKLpp", names, &table,
                                     &lists[0], &lists[1], &lists[2], &lists[3], &lists[4], &where,
                                     &from, &to, &min_bytes, &min_duration, &launchers,
                                     &with_arguments) ||
        !select_all_of(owner, lists, where)) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_SetString(PyExc_ValueError, "a number is out of range");
        free_owner(owner);
        return NULL;
    }
    if (from != INT64_MIN)
        selection->from = from;
    if (to != INT64_MAX)
        selection->to = to;
    selection->min_bytes = min_bytes;
    selection->min_duration = min_duration;
    selection->launchers = launchers;
    owner->trace = (struct trace *)self;
    Py_INCREF(self);
    return stream_of(owner, table, with_arguments);
}

/* ---- traces ---- */

static PyObject *trace_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"path", "anonymous", "key", NULL};
    struct fth_error *error = NULL;
    PyObject *path, *key = NULL;
    int anonymous = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O&|pO&", names, PyUnicode_FSConverter,
                                     &path, &anonymous, PyUnicode_FSConverter, &key))
        return NULL;
    allocfunc allocate = (allocfunc)(uintptr_t)PyType_GetSlot(type, Py_tp_alloc);
    struct trace *self = (struct trace *)allocate(type, 0);
    if (self) {
        self->anonymous = anonymous;
        bool has_names =
            !anonymous ||
            !fth_pseudonyms_begin(&self->names, key ? PyBytes_AsString(key) : NULL, &error);
        Py_BEGIN_ALLOW_THREADS if (has_names) self->trace =
            fth_trace_open(PyBytes_AsString(path), &error);
        Py_END_ALLOW_THREADS
    }
    Py_DECREF(path);
    Py_XDECREF(key);
    if (self && !self->trace) {
        Py_DECREF((PyObject *)self);
        return raise(error);
    }
    return (PyObject *)self;
}

static void trace_free(PyObject *object)
{
    struct trace *self = (struct trace *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc free_object = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
    if (self->trace)
        fth_trace_close(self->trace);
    free_object(object);
    Py_DECREF((PyObject *)type);
}

static PyObject *trace_meta(PyObject *self, PyObject *none)
{
    (void)none;
    const struct fth_trace_info *info = fth_trace_info(((struct trace *)self)->trace);
    return Py_BuildValue("(sLLK)", info->meta_json ? info->meta_json : "null",
                         (long long)info->start_realtime, (long long)info->end,
                         (unsigned long long)info->calls);
}

static PyMethodDef methods[] = {
    {"stream", (PyCFunction)(uintptr_t)trace_stream, METH_VARARGS | METH_KEYWORDS,
     "stream(table, *, procs, ranks, layers, functions, files, where, start, end, min_bytes, "
     "min_duration, launchers, arguments): a capsule with a struct ArrowArrayStream."},
    {"meta", trace_meta, METH_NOARGS,
     "meta(): (what `record` knew, as JSON; start in ns since 1970; length in ns; calls)."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, trace_new},
    {Py_tp_dealloc, trace_free},
    {Py_tp_methods, methods},
    {Py_tp_doc, "Trace(path): an open trace."},
    {0, NULL},
};

static PyType_Spec type = {"fathom._reader.Trace", sizeof(struct trace), 0, Py_TPFLAGS_DEFAULT,
                           slots};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT,
                                    "fathom._reader",
                                    "The reader of traces.",
                                    -1,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL};

PyMODINIT_FUNC PyInit__reader(void)
{
    PyObject *made = PyModule_Create(&module), *trace = PyType_FromSpec(&type);
    if (!made || !trace || PyModule_AddObject(made, "Trace", trace)) {
        Py_XDECREF(trace);
        Py_XDECREF(made);
        return NULL;
    }
    return made;
}
