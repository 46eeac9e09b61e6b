/* data.c - see data.h. */
#include "common/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool data_number(const char *text, size_t low, size_t high, size_t step, size_t *value)
{
    char *end;
    size_t v = strtoul(text, &end, 10);
    if (*end != '\0' || *text < '0' || *text > '9') return false; /* no sign, no space */
    if (v < low || v > high || (step ? v % step != 0 : (v & (v - 1)) != 0)) return false;
    *value = v;
    return true;
}

static void usage(const char *program, const struct data_arg *arg, int n)
{
    const char *slash = strrchr(program, '/');
    fprintf(stderr, "usage: %s", slash ? slash + 1 : program);
    for (int i = 0; i < n; i++)
        fprintf(stderr, " [%s", arg[i].name);
    for (int i = 0; i < n; i++)
        fputc(']', stderr);
    for (int i = 0; i < n; i++)
        fprintf(stderr, "%s %s: %s, from %zu to %zu", i ? ";" : ",", arg[i].name, arg[i].rule,
                arg[i].low, arg[i].high);
    fputc('\n', stderr);
    exit(1);
}

void data_args(int argc, char **argv, struct data_arg *arg, int n)
{
    if (argc > n + 1) usage(argv[0], arg, n);
    for (int i = 0; i + 1 < argc; i++) {
        struct data_arg *a = &arg[i];
        if (!data_number(argv[i + 1], a->low, a->high, a->step, &a->value)) usage(argv[0], arg, n);
    }
}

void *data_new(size_t n, size_t bytes)
{
    void *p = calloc(n, bytes);
    if (!p) host_fail("out of memory");
    return p;
}

uint32_t data_next(struct data_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

float data_uniform(struct data_random *r)
{
    return (float)(data_next(r) >> 8) * 0x1p-24f;
}

float *data_floats(size_t n, uint64_t seed)
{
    struct data_random r = {seed};
    float *x = data_new(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = data_uniform(&r);
    return x;
}

uint32_t *data_words(size_t n, uint64_t seed)
{
    struct data_random r = {seed};
    uint32_t *x = data_new(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = data_next(&r);
    return x;
}

uint8_t *data_picture(size_t width, size_t height, uint64_t seed)
{
    struct data_random r = {seed};
    uint8_t *p = data_new(width * height, 4);
    for (size_t i = 0; i < width * height; i++) {
        size_t x = i % width, y = i / width;
        uint32_t noise = data_next(&r);
        p[4 * i] = (uint8_t)(200 * x / width + (noise & 15));
        p[4 * i + 1] = (uint8_t)(200 * y / height + (noise >> 4 & 15));
        p[4 * i + 2] = (uint8_t)(((x / 16 + y / 16) % 2 ? 180 : 40) + (noise >> 8 & 15));
        p[4 * i + 3] = 255;
    }
    return p;
}

void host_launch_2d(const struct host *h, cl_kernel kernel, const size_t items[2],
                    const size_t group[2])
{
    host_check(clEnqueueNDRangeKernel(h->queue, kernel, 2, NULL, items, group, 0, NULL, NULL),
               "clEnqueueNDRangeKernel");
    host_check(clFinish(h->queue), "clFinish");
}

void host_buffers(cl_kernel kernel, cl_uint n, const cl_mem *buffer)
{
    for (cl_uint i = 0; i < n; i++)
        host_arg(kernel, i, sizeof buffer[i], &buffer[i]);
}

void host_release(size_t n, const cl_mem *buffer)
{
    for (size_t i = 0; i < n; i++)
        host_check(clReleaseMemObject(buffer[i]), "clReleaseMemObject");
}

void host_word(cl_kernel kernel, cl_uint index, uint32_t value)
{
    host_arg(kernel, index, sizeof value, &value);
}

void *host_fetch(const struct host *h, cl_mem buffer, size_t bytes)
{
    void *p = data_new(bytes, 1);
    host_read(h, buffer, p, bytes);
    return p;
}

size_t data_wrong_floats(const float *got, const float *want, size_t n, double tolerance)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)got[i] - (double)want[i]);
        double scale = fmax(1, fabs((double)want[i]));
        wrong += !(difference <= tolerance * scale);
    }
    return wrong;
}

size_t data_wrong_bytes(const void *got, const void *want, size_t n, size_t bytes)
{
    const char *a = got, *b = want;
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += memcmp(a + i * bytes, b + i * bytes, bytes) != 0;
    return wrong;
}

int data_verdict(const char *name, size_t n, const char *unit, size_t wrong)
{
    printf("%s: %zu %s, %zu wrong\n", name, n, unit, wrong);
    return wrong != 0;
}
