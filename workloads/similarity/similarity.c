/* similarity.c - similarity scores of all pairs of documents, a pair per work-item.
 *
 * Usage: similarity [DOCUMENTS [WORDS]]      96 32 if not given; WORDS of the vocabulary
 * The vectors count words that come by Zipf's law.  Compared with double precision. */
#include "common/graph.h"

#include <math.h>

enum { TEXT = 4 }; /* words of a text per word of the vocabulary */

static float *count_words(struct program *p, cl_uint documents, cl_uint words)
{
    float *vector = program_array(p, (size_t)documents * words, sizeof *vector);
    const cl_uint *word = zipf_keys(p, (size_t)documents * words * TEXT, words, 21);
    for (size_t i = 0; i < (size_t)documents * words * TEXT; i++)
        vector[i / (words * TEXT) * words + word[i]] += 1;
    return vector;
}

static double product(const float *a, const float *b, cl_uint n)
{
    double sum = 0;
    for (cl_uint k = 0; k < n; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

static float *scores_here(struct program *p, const float *vector, cl_uint documents, cl_uint words)
{
    float *score = program_array(p, (size_t)documents * documents, sizeof *score);
    for (cl_uint i = 0; i < documents; i++)
        for (cl_uint j = i + 1; j < documents; j++) {
            const float *a = vector + (size_t)i * words, *b = vector + (size_t)j * words;
            double both = product(a, a, words) * product(b, b, words);
            score[(size_t)i * documents + j] = (float)(product(a, b, words) / sqrt(both));
        }
    return score;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "similarity", "similarity [DOCUMENTS [WORDS]]", argc, argv);
    cl_uint documents = program_number(&p, 96, 2, 8192), words = program_number(&p, 32, 1, 1 << 16);
    size_t pairs = (size_t)documents * documents;
    program_demand(&p, (size_t)documents * words <= 1u << 26);
    program_start(&p);
    const float *vector = count_words(&p, documents, words);
    float *want = scores_here(&p, vector, documents, words);
    cl_mem vectors = program_buffer(&p, (size_t)documents * words * sizeof *vector, vector);
    cl_mem norm = program_buffer(&p, documents * sizeof *vector, NULL);
    cl_mem score =
        program_buffer(&p, pairs * sizeof *vector, program_array(&p, pairs, sizeof *vector));
    program_launch(&p, program_kernel(&p, "norms", "bbuu", vectors, norm, documents, words),
                   documents);
    program_launch(
        &p, program_kernel(&p, "similarities", "bbbuu", vectors, norm, score, documents, words),
        pairs);
    const float *got = program_read(&p, score, pairs * sizeof *got);
    return program_end(&p, data_wrong_floats(got, want, pairs, 1e-5), "%u documents", documents);
}
