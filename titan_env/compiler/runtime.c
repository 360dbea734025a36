/* What compiled functions need of Numba at run time, for libraries that are used without it. Its sizes have 64 bits on
   every platform, as Numba's code has them. */

#include <stdint.h>
#include <stdlib.h>

/* An array that compiled code makes: its fields as Numba's runtime has them, in front of the data. */
typedef struct {
    uint64_t references;
    void (*destructor)(void *data, uint64_t size, void *argument);
    void *argument;
    void *data;
    uint64_t size;
    void *allocator;
} Memory;

void *NRT_Allocate(uint64_t size) { return malloc(size); }

void NRT_Free(void *place) { free(place); }

void *NRT_MemInfo_alloc_aligned(uint64_t size, unsigned alignment) {
    Memory *memory = malloc(sizeof(Memory) + size + alignment);
    if (memory == NULL) return NULL;
    uintptr_t place = (uintptr_t)(memory + 1) + alignment - 1;
    memory->references = 1;
    memory->destructor = NULL;
    memory->argument = memory->allocator = NULL;
    memory->data = (void *)(place - place % alignment);
    memory->size = size;
    return memory;
}

void *NRT_MemInfo_alloc_safe_aligned(uint64_t size, unsigned alignment) {
    return NRT_MemInfo_alloc_aligned(size, alignment);
}

void *NRT_MemInfo_alloc(uint64_t size) { return NRT_MemInfo_alloc_aligned(size, sizeof(void *)); }

/* Ends a list: `argument` is the function, if any, that ends its items. */
static void end_list(void *data, uint64_t size, void *argument) {
    (void)size;
    if (argument != NULL) ((void (*)(void *))argument)(data);
    free(data);
}

void *NRT_MemInfo_new_varsize_dtor(uint64_t size, void *argument) {
    Memory *memory = malloc(sizeof(Memory));
    void *data = malloc(size);
    if (memory == NULL || data == NULL) {
        free(memory);
        free(data);
        return NULL;
    }
    *memory = (Memory){1, end_list, argument, data, size, NULL};
    return memory;
}

void NRT_MemInfo_call_dtor(void *place) {
    Memory *memory = place;
    if (memory->destructor != NULL) memory->destructor(memory->data, memory->size, memory->argument);
    free(memory);
}

/* Writes the strides that an array has in a new shape without a copy; returns 0 if it cannot be viewed so. */
int numba_attempt_nocopy_reshape(int64_t dimensions, const int64_t *sizes, const int64_t *strides,
                                 int64_t new_dimensions, const int64_t *new_sizes, int64_t *new_strides,
                                 int64_t item_size, int is_fortran) {
    int64_t old_sizes[32], old_strides[32], old = 0, from = 0, into = 0, total = 1, new_total = 1;
    if (dimensions > 32 || new_dimensions > 32) return 0;
    for (int64_t i = 0; i < dimensions; i++) {
        total *= sizes[i];
        if (sizes[i] == 1) continue;
        old_sizes[old] = sizes[i];
        old_strides[old++] = strides[i];
    }
    for (int64_t i = 0; i < new_dimensions; i++) new_total *= new_sizes[i];
    if (total != new_total || total == 0) return 0;
    while (into < new_dimensions && from < old) {
        int64_t next = into + 1, after = from + 1, made = new_sizes[into], had = old_sizes[from];
        while (made != had) {
            if (made < had) made *= new_sizes[next++];
            else had *= old_sizes[after++];
        }
        for (int64_t i = from; i < after - 1; i++) {
            int64_t outer = is_fortran ? i + 1 : i, inner = is_fortran ? i : i + 1;
            if (old_strides[outer] != old_sizes[inner] * old_strides[inner]) return 0;
        }
        if (is_fortran) {
            new_strides[into] = old_strides[from];
            for (int64_t i = into + 1; i < next; i++) new_strides[i] = new_strides[i - 1] * new_sizes[i - 1];
        } else {
            new_strides[next - 1] = old_strides[after - 1];
            for (int64_t i = next - 1; i > into; i--) new_strides[i - 1] = new_strides[i] * new_sizes[i];
        }
        into = next;
        from = after;
    }
    int64_t last = into ? new_strides[into - 1] * (is_fortran ? new_sizes[into - 1] : 1) : item_size;
    for (; into < new_dimensions; into++) new_strides[into] = last;
    return 1;
}

/* What a function would tell Python beside the status that it returns. */
void *PyExc_RuntimeError;

void PyErr_SetString(void *kind, const char *text) { (void)kind, (void)text; }
