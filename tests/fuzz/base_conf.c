/* Any text as a configuration: either a tree of settings or one error that names the place. */
#include "base/memory/alloc.h"
#include "base/text/conf.h"

#include <stddef.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Visits everything, so that the sanitizers see every pointer used. */
static size_t walk(const struct conf_node *node)
{
    size_t sum = conf_line(node) + strlen(conf_file(node));
    if (conf_text(node)) sum += strlen(conf_text(node));
    for (uint32_t i = 0; i < conf_count(node); i++)
        sum += walk(conf_child(node, i));
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct error e = {0};
    char *text = mem_new(n + 1, 1);
    if (!text) return 0;
    memcpy(text, bytes, n);
    struct conf *c = conf_parse(text, "fuzz", &e);
    if (c ? walk(conf_root(c)) == 0 : strncmp(e.text, "fuzz:", 5) != 0) __builtin_trap();
    conf_free(c);
    mem_free(text);
    return 0;
}
