/* formats.c - what each serving simulator reads, from the rows of a table; see operators.h.
 *
 * docs/guide/operators.md has the sources of the formats. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "cli/operators/operators.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- steps ------------------------------------------------------------------------------------ */

/* One step of a server: a prompt that is read, or a token for each sequence. */
struct step {
    struct operators_point edges, dense, head, attention;
};

static struct step step_of(const struct operators_point *attention)
{
    bool prefill = attention->part == PART_PREFILL;
    uint32_t tokens = prefill ? attention->tokens : attention->batch;
    return (struct step){.edges = {.part = PART_EDGES, .tokens = tokens},
                         .dense = {.part = PART_DENSE, .tokens = tokens},
                         .head = {.part = PART_HEAD, .batch = prefill ? 1 : attention->batch},
                         .attention = *attention};
}

/* The next point from *i on whose part is `a` or `b`, each once; NULL: there is none. */
static const struct operators_point *next_point(const struct operators_table *t, size_t *i,
                                                enum operators_part a, enum operators_part b)
{
    for (; *i < t->n_rows; ++*i) {
        const struct operators_point *at = &t->row[*i].at;
        bool first = *i == 0 || !operators_same_point(&t->row[*i - 1].at, at);
        if (first && (at->part == a || at->part == b)) return ++*i, at;
    }
    return NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Opens a file of the folder, or of a folder in it. */
static struct outfile *open_in(const char *folder, const char *name, struct error *e)
{
    char *path = file_join(folder, name);
    struct outfile *f = path ? outfile_open(path, e) : NULL;
    if (!path) error_no_memory(e);
    mem_free(path);
    return f;
}

static bool make_folder(const char *folder, const char *name, struct error *e)
{
    char *path = file_join(folder, name);
    bool ok = path ? file_make_dirs(path, e) : error_no_memory(e);
    mem_free(path);
    return ok;
}

/* --- LLMServingSim ---------------------------------------------------------------------------- */

/* A layer of theirs: the mean over `of` occurrences in a block. */
static const struct {
    const char *layer, *names;
    enum operators_part part;
    double of;
} servingsim_dense[] = {{"embedding", "embedding", PART_EDGES, 1},
                        {"layernorm",
                         "input_layernorm attention_residual post_attention_layernorm mlp_residual",
                         PART_DENSE, 2},
                        {"qkv_proj", "qkv_proj latent_layernorm latent_proj", PART_DENSE, 1},
                        {"qk_norm", "qk_norm", PART_DENSE, 1},
                        {"rotary_emb", "rotary_emb", PART_DENSE, 1},
                        {"o_proj", "o_proj", PART_DENSE, 1},
                        {"gate_up_proj", "gate_up_proj up_proj", PART_DENSE, 1},
                        {"act_fn", "act_fn", PART_DENSE, 1},
                        {"down_proj", "down_proj", PART_DENSE, 1},
                        {"final_layernorm", "final_layernorm", PART_EDGES, 1}};
static const char moe_names[] = "moe_router moe_gather moe_gate_up moe_act moe_down moe_scatter";

static bool write_servingsim_dense(const struct operators_table *t, const char *folder,
                                   struct error *e)
{
    struct outfile *f = open_in(folder, "tp1/dense.csv", e);
    if (!f) return false;
    outfile_printf(f, "layer,tokens,time_us\n");
    for (size_t k = 0; k < sizeof servingsim_dense / sizeof *servingsim_dense; k++) {
        enum operators_part part = servingsim_dense[k].part;
        const struct operators_point *at;
        for (size_t i = 0; (at = next_point(t, &i, part, part));) {
            struct operators_time sum = {0};
            if (operators_table_time(t, at, servingsim_dense[k].names, &sum))
                outfile_printf(f, "%s,%" PRIu32 ",%.6g\n", servingsim_dense[k].layer, at->tokens,
                               sum.us / servingsim_dense[k].of);
        }
    }
    return outfile_commit(f, e);
}

static bool write_servingsim_heads(const struct operators_table *t, const char *folder,
                                   struct error *e)
{
    static const char *const layers[] = {"lm_head", "sampler"};
    const struct operators_point *at;
    struct outfile *f = open_in(folder, "tp1/per_sequence.csv", e);
    if (!f) return false;
    outfile_printf(f, "layer,sequences,time_us\n");
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; (at = next_point(t, &i, PART_HEAD, PART_HEAD));) {
            struct operators_time sum = {0};
            if (operators_table_time(t, at, layers[k], &sum))
                outfile_printf(f, "%s,%" PRIu32 ",%.6g\n", layers[k], at->batch, sum.us);
        }
    return outfile_commit(f, e);
}

/* Attention with what stores the new keys and values, which is of the dense part here. */
static struct operators_time attention_time(const struct operators_table *t,
                                            const struct operators_point *at)
{
    struct step s = step_of(at);
    struct operators_time sum = {0};
    operators_table_time(t, at, NULL, &sum);
    operators_table_time(t, &s.dense, "kv_cache_save", &sum);
    return sum;
}

static bool write_servingsim_attention(const struct operators_table *t, const char *folder,
                                       struct error *e)
{
    const struct operators_point *at;
    struct outfile *f = open_in(folder, "tp1/attention.csv", e);
    if (!f) return false;
    outfile_printf(f, "layer,prefill_chunk,prefill_key,n_decode,kv_decode,decode_q_len,time_us\n");
    for (size_t i = 0; (at = next_point(t, &i, PART_PREFILL, PART_DECODE));)
        outfile_printf(f, "attention,%" PRIu32 ",%g,%" PRIu32 ",%" PRIu32 ",1,%.6g\n", at->tokens,
                       at->tokens / 2.0, at->batch, at->context, attention_time(t, at).us);
    return outfile_commit(f, e);
}

static bool write_servingsim_moe(const struct operators_table *t, const char *folder,
                                 struct error *e)
{
    const struct operators_point *at;
    if (t->model.experts < 2) return true;
    struct outfile *f = open_in(folder, "tp1/moe.csv", e);
    if (!f) return false;
    outfile_printf(f, "ep,tokens,activated_experts,time_us\n");
    for (size_t i = 0; (at = next_point(t, &i, PART_DENSE, PART_DENSE));) {
        struct operators_time sum = {0};
        if (operators_table_time(t, at, moe_names, &sum))
            outfile_printf(f, "1,%" PRIu32 ",%" PRIu32 ",%.6g\n", at->tokens,
                           operators_active(&t->model, at->tokens), sum.us);
    }
    return outfile_commit(f, e);
}

static bool write_servingsim(const struct operators_table *t, const char *folder, struct error *e)
{
    uint32_t tokens = 0, batch = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->row[i].at.tokens > tokens) tokens = t->row[i].at.tokens;
        if (t->row[i].at.batch > batch) batch = t->row[i].at.batch;
    }
    if (!make_folder(folder, "tp1", e)) return false;
    struct outfile *f = open_in(folder, "meta.yaml", e);
    if (!f) return false;
    outfile_printf(f,
                   "hardware: %s\nmodel: %s\nvariant: bf16\ntp_degrees: [1]\n"
                   "engine_effective:\n  max_num_batched_tokens: %" PRIu32
                   "\n  max_num_seqs: %" PRIu32 "\nskew_fit:\n  enabled: false\n",
                   t->card, t->model.name, tokens, batch);
    return outfile_commit(f, e) && write_servingsim_dense(t, folder, e) &&
           write_servingsim_heads(t, folder, e) && write_servingsim_attention(t, folder, e) &&
           write_servingsim_moe(t, folder, e);
}

/* --- Vidur ------------------------------------------------------------------------------------ */

static const double US_MS = 1e-3, US_S = 1e-6;

static const struct {
    const char *name, *names;
    enum operators_part part;
} vidur_columns[] = {
    {"emb", "embedding", PART_EDGES},
    {"input_layernorm", "input_layernorm", PART_DENSE},
    {"attn_pre_proj", "qkv_proj qk_norm latent_layernorm latent_proj", PART_DENSE},
    {"attn_rope", "rotary_emb", PART_DENSE},
    {"attn_post_proj", "o_proj", PART_DENSE},
    {"post_attention_layernorm", "post_attention_layernorm", PART_DENSE},
    {"mlp_up_proj", "gate_up_proj up_proj moe_router moe_gather moe_gate_up", PART_DENSE},
    {"mlp_act", "act_fn moe_act", PART_DENSE},
    {"mlp_down_proj", "down_proj moe_down moe_scatter", PART_DENSE},
    {"add", "attention_residual", PART_DENSE}};
enum { VIDUR_COLUMNS = sizeof vidur_columns / sizeof *vidur_columns };

static void vidur_names(struct outfile *f, const char *name)
{
    static const char *const stats[] = {"min", "max", "mean", "median", "std"};
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
        outfile_printf(f, "time_stats.%s.%s,", name, stats[i]);
}

/* min, max, mean, median, std: the range, twice the estimate, half of the range. */
static void vidur_stats(struct outfile *f, const struct operators_time *v)
{
    outfile_printf(f, "%.6g,%.6g,%.6g,%.6g,%.6g,", v->low * US_MS, v->high * US_MS, v->us * US_MS,
                   v->us * US_MS, (v->high - v->low) / 2 * US_MS);
}

static bool write_vidur_mlp(const struct operators_table *t, const char *folder, struct error *e)
{
    const struct operators_model *m = &t->model;
    const struct operators_point *at;
    struct outfile *f = open_in(folder, "mlp.csv", e);
    if (!f) return false;
    for (size_t k = 0; k < VIDUR_COLUMNS; k++)
        vidur_names(f, vidur_columns[k].name);
    outfile_printf(f, "n_head,n_kv_head,n_embd,n_expanded_embd,vocab_size,use_gated_mlp,num_tokens,"
                      "num_tensor_parallel_workers\n");
    for (size_t i = 0; (at = next_point(t, &i, PART_DENSE, PART_DENSE));) {
        struct operators_point edges = {.part = PART_EDGES, .tokens = at->tokens};
        for (size_t k = 0; k < VIDUR_COLUMNS; k++) {
            struct operators_time sum = {0};
            operators_table_time(t, vidur_columns[k].part == PART_EDGES ? &edges : at,
                                 vidur_columns[k].names, &sum);
            vidur_stats(f, &sum);
        }
        outfile_printf(
            f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",1\n",
            m->heads, m->kv_heads, m->hidden, m->ffn, m->vocab,
            m->gated || m->experts > 1 ? "True" : "False", at->tokens);
    }
    return outfile_commit(f, e);
}

static void vidur_attention_row(struct outfile *f, const struct operators_table *t,
                                const struct operators_point *at, uint32_t most_context)
{
    const struct operators_model *m = &t->model;
    const struct step s = step_of(at);
    struct operators_time sum = {0}, save = {0}, none = {0};
    operators_table_time(t, at, NULL, &sum);
    operators_table_time(t, &s.dense, "kv_cache_save", &save);
    vidur_stats(f, &none);
    vidur_stats(f, &none);
    vidur_stats(f, &save);
    if (at->part == PART_DECODE) outfile_printf(f, ",,,,,");
    vidur_stats(f, &sum);
    if (at->part == PART_PREFILL) outfile_printf(f, ",,,,,");
    outfile_printf(f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",1,%" PRIu32 ",", m->hidden,
                   m->heads, m->kv_heads, m->page, most_context);
    outfile_printf(f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,AttentionBackend.FLASH_ATTENTION\n",
                   at->part == PART_DECODE ? at->batch : 1, at->tokens, at->context,
                   at->part == PART_DECODE ? "False" : "True");
}

static bool write_vidur(const struct operators_table *t, const char *folder, struct error *e)
{
    static const char *const names[] = {"attn_input_reshape", "attn_output_reshape",
                                        "attn_kv_cache_save", "attn_prefill", "attn_decode"};
    const struct operators_point *at;
    uint32_t most = 0;
    if (!write_vidur_mlp(t, folder, e)) return false;
    struct outfile *f = open_in(folder, "attention.csv", e);
    if (!f) return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        vidur_names(f, names[k]);
    outfile_printf(f, "n_embd,n_q_head,n_kv_head,block_size,num_tensor_parallel_workers,"
                      "max_model_len,batch_size,prefill_chunk_size,kv_cache_size,is_prefill,"
                      "attention_backend\n");
    for (size_t i = 0; (at = next_point(t, &i, PART_PREFILL, PART_DECODE));) {
        most = at->tokens > most ? at->tokens : most;
        most = at->context > most ? at->context : most;
    }
    for (size_t i = 0; (at = next_point(t, &i, PART_PREFILL, PART_DECODE));)
        vidur_attention_row(f, t, at, most);
    return outfile_commit(f, e);
}

/* --- SGLang's simulator ----------------------------------------------------------------------- */

static double step_us(const struct operators_table *t, const struct step *s)
{
    struct operators_time once = {0}, block = {0};
    operators_table_time(t, &s->edges, NULL, &once);
    operators_table_time(t, &s->head, NULL, &once);
    operators_table_time(t, &s->dense, NULL, &block);
    operators_table_time(t, &s->attention, NULL, &block);
    return once.us + t->model.layers * block.us;
}

/* The key of a step: [new tokens, cached tokens] of each sequence, as Python's json writes it. */
static bool write_sglang(const struct operators_table *t, const char *folder, struct error *e)
{
    const struct operators_point *at;
    const char *between = "";
    struct outfile *f = open_in(folder, "replay_table.json", e);
    if (!f) return false;
    outfile_printf(f, "{");
    for (size_t i = 0; (at = next_point(t, &i, PART_PREFILL, PART_DECODE)); between = ",") {
        struct step s = step_of(at);
        bool decode = at->part == PART_DECODE;
        outfile_printf(f, "%s\n  \"[", between);
        for (uint32_t k = 0; k < (decode ? at->batch : 1); k++)
            outfile_printf(f, "%s[%" PRIu32 ", %" PRIu32 "]", k ? ", " : "",
                           decode ? 1 : at->tokens, at->context);
        outfile_printf(f, "]\": %.9g", step_us(t, &s) * US_S);
    }
    outfile_printf(f, "\n}\n");
    return outfile_commit(f, e);
}

/* --- ASTRA-sim -------------------------------------------------------------------------------- */

/* Lines of one step; times are whole microseconds, rounded so that their sum is the step's. */
struct astra_lines {
    struct outfile *f;
    uint32_t n;
    double us, written;
};

static void astra_point(struct astra_lines *l, const struct operators_table *t,
                        const struct operators_point *at, const char *block, const char *only)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct operators_row *r = &t->row[i];
        if (!operators_same_point(&r->at, at) || (only && strcmp(only, r->name) != 0)) continue;
        l->n++;
        l->us += r->us;
        double whole = round(l->us - l->written);
        l->written += whole;
        if (l->f)
            outfile_printf(l->f, "%s%s -1 %.0f NONE 0 0 NONE 0 0 NONE 0 0\n", block, r->name,
                           whole);
    }
}

static void astra_step(struct astra_lines *l, const struct operators_table *t, const struct step *s)
{
    astra_point(l, t, &s->edges, "", "embedding");
    for (uint32_t b = 0; b < t->model.layers; b++) {
        char block[24];
        snprintf(block, sizeof block, "block%" PRIu32 ".", b);
        astra_point(l, t, &s->dense, block, NULL);
        astra_point(l, t, &s->attention, block, NULL);
    }
    astra_point(l, t, &s->edges, "", "final_layernorm");
    astra_point(l, t, &s->head, "", NULL);
}

static bool write_astra(const struct operators_table *t, const char *folder, struct error *e)
{
    const struct operators_point *at;
    for (size_t i = 0; (at = next_point(t, &i, PART_PREFILL, PART_DECODE));) {
        struct step s = step_of(at);
        struct astra_lines count = {.f = NULL}, lines = {.f = NULL};
        char name[64];
        if (at->part == PART_PREFILL)
            snprintf(name, sizeof name, "prefill-%" PRIu32 ".txt", at->tokens);
        else
            snprintf(name, sizeof name, "decode-%" PRIu32 "x%" PRIu32 ".txt", at->batch,
                     at->context);
        astra_step(&count, t, &s);
        if (!(lines.f = open_in(folder, name, e))) return false;
        outfile_printf(lines.f, "DATA\n%" PRIu32 "\n", count.n);
        astra_step(&lines, t, &s);
        if (!outfile_commit(lines.f, e)) return false;
    }
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

char *operators_table_path(const char *output, const char *format)
{
    return strcmp(format, "csv") == 0 ? mem_strdup(output) : file_join(output, "operators.csv");
}

bool operators_format_write(const struct operators_table *t, const char *format, const char *folder,
                            struct error *e)
{
    static const struct {
        const char *name;
        bool (*write)(const struct operators_table *t, const char *folder, struct error *e);
    } formats[] = {{"llmservingsim", write_servingsim},
                   {"vidur", write_vidur},
                   {"sglang", write_sglang},
                   {"astra-sim", write_astra}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, format) == 0) return formats[i].write(t, folder, e);
    return true;
}
