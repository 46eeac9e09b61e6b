/* program.c - see program.h. */
#include "common/program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void program_open(struct program *p, const char *name, const char *usage, int argc, char **argv)
{
    *p = (struct program){.name = name, .usage = usage, .argc = argc, .next = 1, .argv = argv};
}

void program_demand(const struct program *p, bool holds)
{
    if (holds) return;
    fprintf(stderr, "usage: %s\n", p->usage);
    exit(1);
}

cl_uint program_step(struct program *p, cl_uint standard, cl_uint least, cl_uint most, cl_uint step)
{
    size_t n = standard;
    if (p->next < p->argc)
        program_demand(p, data_number(p->argv[p->next++], least, most, step, &n));
    return (cl_uint)n;
}

cl_uint program_number(struct program *p, cl_uint standard, cl_uint least, cl_uint most)
{
    return program_step(p, standard, least, most, 1);
}

const char *program_word(struct program *p, const char *standard)
{
    return p->next < p->argc ? p->argv[p->next++] : standard;
}

void program_start(struct program *p)
{
    char source[256];
    program_demand(p, p->next == p->argc);
    snprintf(source, sizeof source, "%s/%s.cl", p->name, p->name);
    p->host = host_open(source);
}

static void more(unsigned *n)
{
    if (++*n == PROGRAM_MOST) host_fail("too many arrays, buffers or kernels");
}

void *program_array(struct program *p, size_t n, size_t size)
{
    void *array = calloc(n ? n : 1, size);
    if (!array) host_fail("out of memory");
    p->array[p->arrays] = array;
    more(&p->arrays);
    return array;
}

cl_mem program_buffer(struct program *p, size_t bytes, const void *init)
{
    cl_mem buffer = host_buffer(&p->host, bytes, init);
    p->buffer[p->buffers] = buffer;
    more(&p->buffers);
    return buffer;
}

void program_write(const struct program *p, cl_mem buffer, const void *from, size_t bytes)
{
    host_check(clEnqueueWriteBuffer(p->host.queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
               "clEnqueueWriteBuffer");
}

void *program_read(struct program *p, cl_mem buffer, size_t bytes)
{
    void *array = program_array(p, bytes, 1);
    host_read(&p->host, buffer, array, bytes);
    return array;
}

static void set_arg(cl_kernel kernel, cl_uint index, char kind, va_list *values)
{
    if (kind == 'b') {
        cl_mem buffer = va_arg(*values, cl_mem);
        host_arg(kernel, index, sizeof buffer, &buffer);
    } else if (kind == 'u') {
        cl_uint n = va_arg(*values, cl_uint);
        host_arg(kernel, index, sizeof n, &n);
    } else {
        cl_float x = (cl_float)va_arg(*values, double);
        host_arg(kernel, index, sizeof x, &x);
    }
}

cl_kernel program_kernel(struct program *p, const char *name, const char *args, ...)
{
    cl_kernel kernel = host_kernel(&p->host, name);
    va_list values;
    va_start(values, args);
    for (cl_uint i = 0; args[i]; i++)
        set_arg(kernel, i, args[i], &values);
    va_end(values);
    p->kernel[p->kernels] = kernel;
    more(&p->kernels);
    return kernel;
}

void program_set_uint(cl_kernel kernel, cl_uint index, cl_uint value)
{
    host_arg(kernel, index, sizeof value, &value);
}

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

void program_launch(const struct program *p, cl_kernel kernel, size_t items)
{
    host_launch(&p->host, kernel, round_up(items, PROGRAM_GROUP), PROGRAM_GROUP);
}

void program_launch_2d(const struct program *p, cl_kernel kernel, size_t x, size_t y, size_t side)
{
    const size_t group[2] = {side, side};
    const size_t items[2] = {round_up(x, side), round_up(y, side)};
    host_launch_2d(&p->host, kernel, items, group);
}

float *program_floats(struct program *p, size_t n, uint64_t seed, float low, float high)
{
    struct data_random r = {seed};
    float *x = program_array(p, n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = low + (high - low) * data_uniform(&r);
    return x;
}

int program_end(struct program *p, size_t wrong, const char *format, ...)
{
    va_list values;
    printf("%s: ", p->name);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf(", %zu wrong\n", wrong);
    while (p->kernels)
        clReleaseKernel(p->kernel[--p->kernels]);
    while (p->buffers)
        clReleaseMemObject(p->buffer[--p->buffers]);
    while (p->arrays)
        free(p->array[--p->arrays]);
    host_close(&p->host);
    return wrong != 0;
}
