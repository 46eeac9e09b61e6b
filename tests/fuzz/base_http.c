/* base_http.c - any bytes as the head of an HTTP request: refused with a status that has a name, or
 * read into texts within the head. */
#include "base/http/http_request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_request q;
    char *head =
        malloc(size ? size : 1); /* of this size alone, so that a byte behind it is found */
    if (!head) return 0;
    memcpy(head, data, size);
    size_t n = http_head_length(head, size);
    if (n > size) abort();
    int status = http_read_head(head, n ? n : size, &q);
    if (!*http_reason(status)) abort();
    if (status == HTTP_OK && (*q.path != '/' || strlen(q.path) >= size || strlen(q.tag) >= size))
        abort();
    free(head);
    return 0;
}
