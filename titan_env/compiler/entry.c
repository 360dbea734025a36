/* Calls of compiled functions in libraries: Python's arguments as words, and words as Python's result.

   `Entry(address, name, leaves, dtypes, result)` is called with what `titan_env.compiler.arguments` tells apart: `leaves`
   has four letters for each number, record or array among the arguments, those in tuples in their places: the kind, and
   of an array its dimensions, layout and "!" if it is read-only. It returns NotImplemented for arguments of other kinds.

   `entry.prepare(*leading)` returns a `Prepared` call, which takes the other arguments: the words of the leading ones are
   written once, and their arrays are held. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define MOST_LEAVES 256
#define MOST_WORDS 1024
#define MOST_RESULTS 32
#define RETURNED_NONE (-2)

typedef int32_t (*Function)(int64_t *words, int64_t *results);

typedef struct {
    char kind, dimensions, layout, is_read_only;
    PyObject *dtype;
} Leaf;

typedef struct {
    PyObject_HEAD
    Function function;
    PyObject *name;
    char result[MOST_RESULTS + 3];
    Py_ssize_t count;
    Leaf leaves[MOST_LEAVES];
} Entry;

typedef struct {
    Entry *entry;
    Py_ssize_t leaf, word, held;
    int64_t words[MOST_WORDS];
    Py_buffer views[MOST_LEAVES];
} Call;

/* A call whose first `leaf` leaves are written already, as `word` words. */
typedef struct {
    PyObject_HEAD
    Entry *entry;
    Py_ssize_t leaf, word, held;
    int64_t *words;
    Py_buffer *views;
} Prepared;

static PyObject *PreparedType;
static PyObject *Array, *Integers, *Bool, *Unsigned, *Float, *Short, *dtype_name;

static PyObject *type_of(PyObject *value) { return (PyObject *)Py_TYPE(value); }

/* Write a number's word; return 1, 0 for a value of another kind, -1 with an error. */
static int put_number(Call *call, char kind, PyObject *value) {
    int64_t word = 0;
    if (kind == 'i') {
        if (PyBool_Check(value)) return 0;
        if (!PyLong_Check(value)) {
            int is_integer = PySequence_Contains(Integers, type_of(value));
            if (is_integer <= 0) return is_integer;
            PyObject *number = PyNumber_Index(value);
            if (number == NULL) return -1;
            word = PyLong_AsLongLong(number);
            Py_DECREF(number);
        } else word = PyLong_AsLongLong(value);
        if (word == -1 && PyErr_Occurred()) return -1;
    } else if (kind == 'b') {
        if (!PyBool_Check(value) && type_of(value) != Bool) return 0;
        word = PyObject_IsTrue(value);
    } else if (kind == 'u') {
        if (type_of(value) != Unsigned) return 0;
        PyObject *number = PyNumber_Index(value);
        if (number == NULL) return -1;
        word = (int64_t)PyLong_AsUnsignedLongLong(number);
        Py_DECREF(number);
    } else {
        if (type_of(value) != (kind == 'f' ? Short : Float) && !(kind == 'd' && PyFloat_CheckExact(value))) return 0;
        double number = PyFloat_AsDouble(value);
        float rounded = (float)number;
        if (kind == 'f') memcpy(&word, &rounded, sizeof rounded);
        else memcpy(&word, &number, sizeof number);
    }
    call->words[call->word++] = word;
    return 1;
}

/* Return the layout of a view: C, F or, for any other, A. */
static char layout_of(const Py_buffer *view) {
    Py_ssize_t row = view->itemsize, column = view->itemsize;
    int is_c = 1, is_f = 1;
    for (int i = 0; i < view->ndim; i++)
        if (view->shape[i] == 0) return 'C';
    for (int i = 0; i < view->ndim; i++) {
        if (view->shape[i] != 1 && view->strides[i] != column) is_f = 0;
        column *= view->shape[i];
    }
    for (int i = view->ndim - 1; i >= 0; i--) {
        if (view->shape[i] != 1 && view->strides[i] != row) is_c = 0;
        row *= view->shape[i];
    }
    return is_c ? 'C' : is_f ? 'F' : 'A';
}

/* Write the words of a record or an array; return as `put_number`. */
static int put_memory(Call *call, const Leaf *leaf, PyObject *value) {
    int is_array = PyObject_TypeCheck(value, (PyTypeObject *)Array);
    if (is_array != (leaf->kind == 'A')) return 0;
    PyObject *dtype = PyObject_GetAttr(value, dtype_name);
    if (dtype == NULL) {
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(dtype); /* the value keeps it */
    if (dtype != leaf->dtype) return 0;
    Py_buffer *view = &call->views[call->held];
    if (PyObject_GetBuffer(value, view, is_array ? PyBUF_STRIDES : PyBUF_SIMPLE) < 0) return -1;
    call->held++;
    if (!is_array) {
        call->words[call->word++] = (intptr_t)view->buf;
        return 1;
    }
    if (view->ndim != leaf->dimensions - '0' || view->readonly != (leaf->is_read_only == '!') ||
        layout_of(view) != leaf->layout)
        return 0;
    int64_t *word = &call->words[call->word], size = 1;
    for (int i = 0; i < view->ndim; i++) {
        size *= view->shape[i];
        word[5 + i] = view->shape[i];
        word[5 + view->ndim + i] = view->strides[i];
    }
    word[0] = word[1] = 0;
    word[2] = size;
    word[3] = view->itemsize;
    word[4] = (intptr_t)view->buf;
    call->word += 5 + 2 * view->ndim;
    return 1;
}

/* Write the words of the arguments in a tuple; return as `put_number`. */
static int put_all(Call *call, PyObject *arguments) {
    Py_ssize_t count = PyTuple_Size(arguments);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *value = PyTuple_GetItem(arguments, i);
        int done;
        if (PyTuple_Check(value)) done = put_all(call, value);
        else if (call->leaf == call->entry->count) return 0;
        else {
            const Leaf *leaf = &call->entry->leaves[call->leaf++];
            int is_memory = leaf->kind == 'A' || leaf->kind == 'V';
            done = is_memory ? put_memory(call, leaf, value) : put_number(call, leaf->kind, value);
        }
        if (done <= 0) return done;
    }
    return 1;
}

static PyObject *number_of(char kind, int64_t word) {
    double number;
    if (kind == 'b') return PyBool_FromLong((long)word);
    if (kind == 'u') return PyLong_FromUnsignedLongLong((uint64_t)word);
    if (kind == 'i') return PyLong_FromLongLong(word);
    memcpy(&number, &word, sizeof number);
    return PyFloat_FromDouble(number);
}

static PyObject *result_of(const char *result, const int64_t *words) {
    if (result[0] == '\0') Py_RETURN_NONE;
    if (result[0] != '(') return number_of(result[0], words[0]);
    Py_ssize_t count = (Py_ssize_t)strlen(result) - 2;
    PyObject *made = PyTuple_New(count);
    for (Py_ssize_t i = 0; made != NULL && i < count; i++) {
        PyObject *number = number_of(result[1 + i], words[i]);
        if (number == NULL || PyTuple_SetItem(made, i, number) < 0) Py_CLEAR(made);
    }
    return made;
}

static void release_views(Call *call) {
    for (Py_ssize_t i = 0; i < call->held; i++) PyBuffer_Release(&call->views[i]);
}

/* Run the function of a call whose words are written, and return its result. */
static PyObject *run(Call *call) {
    int64_t results[MOST_RESULTS];
    PyThreadState *state = PyEval_SaveThread();
    int32_t status = call->entry->function(call->words, results);
    PyEval_RestoreThread(state);
    if (status != 0 && status != RETURNED_NONE)
        return PyErr_Format(PyExc_RuntimeError, "expected the compiled %U to return, got its error %d",
                            call->entry->name, (int)status);
    return result_of(call->entry->result, results);
}

static PyObject *entry_call(PyObject *self, PyObject *arguments, PyObject *named) {
    Call call;
    call.entry = (Entry *)self;
    call.leaf = call.word = call.held = 0;
    int done = put_all(&call, arguments);
    if (done == 1 && call.leaf != call.entry->count) done = 0;
    PyObject *result = done == 1 ? run(&call) : done == 0 ? Py_NewRef(Py_NotImplemented) : NULL;
    release_views(&call);
    return result;
}

/* Write the words of the leading arguments once; NotImplemented for arguments of other kinds. */
static PyObject *entry_prepare(PyObject *self, PyObject *leading) {
    Call call;
    call.entry = (Entry *)self;
    call.leaf = call.word = call.held = 0;
    int done = put_all(&call, leading);
    if (done <= 0) {
        release_views(&call);
        return done == 0 ? Py_NewRef(Py_NotImplemented) : NULL;
    }
    allocfunc make = (allocfunc)PyType_GetSlot((PyTypeObject *)PreparedType, Py_tp_alloc);
    Prepared *prepared = (Prepared *)make((PyTypeObject *)PreparedType, 0);
    int64_t *words = PyMem_Malloc((size_t)call.word * sizeof *words + 1);
    Py_buffer *views = PyMem_Malloc((size_t)call.held * sizeof *views + 1);
    if (prepared == NULL || words == NULL || views == NULL) {
        release_views(&call);
        PyMem_Free(words);
        PyMem_Free(views);
        Py_XDECREF((PyObject *)prepared);
        return PyErr_NoMemory();
    }
    memcpy(words, call.words, (size_t)call.word * sizeof *words);
    memcpy(views, call.views, (size_t)call.held * sizeof *views);
    prepared->entry = (Entry *)Py_NewRef(self);
    prepared->leaf = call.leaf;
    prepared->word = call.word;
    prepared->held = call.held;
    prepared->words = words;
    prepared->views = views;
    return (PyObject *)prepared;
}

static PyObject *prepared_call(PyObject *self, PyObject *arguments, PyObject *named) {
    Prepared *prepared = (Prepared *)self;
    Call call;
    call.entry = prepared->entry;
    call.leaf = prepared->leaf;
    call.word = prepared->word;
    call.held = 0;
    memcpy(call.words, prepared->words, (size_t)prepared->word * sizeof *call.words);
    int done = put_all(&call, arguments);
    if (done == 1 && call.leaf != call.entry->count) done = 0;
    if (done == 0)
        PyErr_Format(PyExc_TypeError, "expected the other arguments of the compiled %U, of the kinds that it was prepared for",
                     call.entry->name);
    PyObject *result = done == 1 ? run(&call) : NULL;
    release_views(&call);
    return result;
}

static void prepared_dealloc(PyObject *self) {
    Prepared *prepared = (Prepared *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (Py_ssize_t i = 0; i < prepared->held; i++) PyBuffer_Release(&prepared->views[i]);
    PyMem_Free(prepared->words);
    PyMem_Free(prepared->views);
    Py_XDECREF((PyObject *)prepared->entry);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* Expect the records and arrays among the arguments to have these dtypes from now on. */
static PyObject *entry_expect(PyObject *self, PyObject *dtypes) {
    Entry *entry = (Entry *)self;
    if (!PyTuple_Check(dtypes) || PyTuple_Size(dtypes) != entry->count) {
        PyErr_SetString(PyExc_ValueError, "expected a dtype or None for each leaf");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < entry->count; i++) {
        PyObject *before = entry->leaves[i].dtype;
        entry->leaves[i].dtype = Py_NewRef(PyTuple_GetItem(dtypes, i));
        Py_XDECREF(before);
    }
    Py_RETURN_NONE;
}

static PyObject *entry_new(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    unsigned long long address;
    PyObject *name, *dtypes;
    const char *leaves, *result;
    if (!PyArg_ParseTuple(arguments, "KUsOs", &address, &name, &leaves, &dtypes, &result)) return NULL;
    Py_ssize_t count = (Py_ssize_t)strlen(leaves) / 4, words = 0;
    for (Py_ssize_t i = 0; i < count; i++) words += leaves[4 * i] == 'A' ? 5 + 2 * (leaves[4 * i + 1] - '0') : 1;
    if (count > MOST_LEAVES || words > MOST_WORDS || strlen(result) > MOST_RESULTS + 2) {
        PyErr_SetString(PyExc_ValueError, "expected fewer arguments or results");
        return NULL;
    }
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Entry *entry = (Entry *)make(type, 0);
    if (entry == NULL) return NULL;
    entry->function = (Function)(uintptr_t)address;
    entry->name = Py_NewRef(name);
    strcpy(entry->result, result);
    entry->count = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *leaf = leaves + 4 * i;
        entry->leaves[i] = (Leaf){leaf[0], leaf[1], leaf[2], leaf[3], NULL};
    }
    PyObject *done = entry_expect((PyObject *)entry, dtypes);
    if (done == NULL) Py_CLEAR(entry);
    Py_XDECREF(done);
    return (PyObject *)entry;
}

static void entry_dealloc(PyObject *self) {
    Entry *entry = (Entry *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(entry->name);
    for (Py_ssize_t i = 0; i < entry->count; i++) Py_XDECREF(entry->leaves[i].dtype);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyMethodDef entry_methods[] = {
    {"expect", entry_expect, METH_O, "Expect these dtypes of the records and arrays from now on."},
    {"prepare", entry_prepare, METH_VARARGS, "Return a call that takes the arguments after these leading ones."},
    {NULL}};
static PyType_Slot entry_slots[] = {{Py_tp_new, entry_new},         {Py_tp_call, entry_call},
                                    {Py_tp_dealloc, entry_dealloc}, {Py_tp_methods, entry_methods},
                                    {Py_tp_doc, "A compiled function in a library."}, {0, NULL}};
static PyType_Spec entry_spec = {"entry.Entry", sizeof(Entry), 0, Py_TPFLAGS_DEFAULT, entry_slots};
static PyType_Slot prepared_slots[] = {{Py_tp_call, prepared_call}, {Py_tp_dealloc, prepared_dealloc},
                                       {Py_tp_doc, "A call with leading arguments that stay."}, {0, NULL}};
static PyType_Spec prepared_spec = {"entry.Prepared", sizeof(Prepared), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, prepared_slots};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "entry", NULL, -1, NULL};

/* Set a variable to the type of NumPy of this name; return whether it is there. */
static int find(PyObject *numpy, const char *name, PyObject **type) {
    *type = PyObject_GetAttrString(numpy, name);
    return *type != NULL;
}

PyMODINIT_FUNC PyInit_entry(void) {
    static const char *names[] = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"};
    PyObject *module = PyModule_Create(&definition), *type = PyType_FromSpec(&entry_spec);
    PyObject *numpy = PyImport_ImportModule("numpy");
    PreparedType = PyType_FromSpec(&prepared_spec);
    dtype_name = PyUnicode_InternFromString("dtype");
    Integers = PyTuple_New(sizeof names / sizeof *names);
    if (module == NULL || type == NULL || PreparedType == NULL || numpy == NULL || dtype_name == NULL || Integers == NULL) return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        PyObject *integer;
        if (!find(numpy, names[i], &integer) || PyTuple_SetItem(Integers, (Py_ssize_t)i, integer) < 0) return NULL;
    }
    if (!find(numpy, "ndarray", &Array) || !find(numpy, "bool_", &Bool) || !find(numpy, "uint64", &Unsigned) ||
        !find(numpy, "float64", &Float) || !find(numpy, "float32", &Short))
        return NULL;
    Py_DECREF(numpy);
    return PyModule_AddObjectRef(module, "Entry", type) < 0 ? NULL : module;
}
