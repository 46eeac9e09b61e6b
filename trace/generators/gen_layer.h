/* gen_layer.h - layer files: a list of operators whose launches follow one another in one program,
 * with tensors in one address space, so that an operator finds in the caches what earlier ones left
 * there.
 *
 *   parameters = { batch = 1; type = "bf16"; };
 *   layer = (
 *       { op = "gemm"; M = "batch"; N = 4096; K = 4096; a = "x"; b = "w"; c = "y"; },
 *       { repeat = 32; layer = ( { op = "gemm"; type = "type"; b = "w#"; ... } ); }
 *   );
 *
 * An entry names a generator that has tensors, its parameters, and for each tensor the buffer where
 * it lies. Buffers of one name are one piece of memory, as large as their largest user; a tensor
 * that the entry does not name has a buffer of its own. `name` is the launches' name, `times` their
 * number. A list may be repeated; # in a buffer's name is then the number of the round. A value in
 * quotes may be a parameter of the file, or a product of such and of whole numbers
 * ("batch * 32"). */
#pragma once

#include "base/memory/arena.h"
#include "base/text/conf.h"
#include "trace/generators/nest_file.h"

struct gen_entry {
    const struct generator_ops *ops;
    struct gen_config c;
    const char *name;  /* of its launches */
    const char *where; /* what messages call it */
    uint32_t n_tensors, buffer[GEN_MAX_TENSORS];
};

enum { GEN_LAYER_PARAMS = 48 };
struct gen_layer {
    struct arena arena; /* the texts */
    struct {
        const char *name, *value;
    } param[GEN_LAYER_PARAMS]; /* that the file declares */
    uint32_t n_params;
    struct gen_entry *entry;
    uint32_t n;
    struct nest_file **text; /* of generators that are written as text */
    uint32_t n_texts;
    const char **buffer; /* names; NULL: an entry's own */
    uint32_t n_buffers;
    size_t entry_cap, buffer_cap, text_cap;
};

/* The generator that v names; the layer keeps what it needs. NULL: *e. */
const struct generator_ops *gen_layer_generator(struct gen_layer *l, const struct gen_value *v,
                                                struct error *e);
/* The same of a kernel's own text. */
const struct generator_ops *gen_layer_own(struct gen_layer *l, const struct conf_node *root,
                                          struct error *e);
bool gen_layer_is(const struct conf_node *root);
/* params replace those that the file declares (program_spec.h); where: what messages call them.
 * false: *e; gen_layer_fini either way. */
bool gen_layer_read(struct gen_layer *l, const struct conf_node *root, const char *params,
                    const char *where, struct error *e);
/* Places the buffers and tells each kernel (one per entry, built) where its arrays are. false:
 * *e. */
bool gen_layer_place(const struct gen_layer *l, struct generator *const *g, const char *where,
                     struct error *e);
void gen_layer_fini(struct gen_layer *l);
