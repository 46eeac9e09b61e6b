/* http_request.h - reads the head of an HTTP/1.1 request (RFC 9112) for a server that only answers
 * GET and that only this host's programs may ask.
 *
 * It accepts little: GET, an absolute path, one Host header that names the loopback interface, and
 * no body. Host decides because a page of another site can let its own name lead to 127.0.0.1 (DNS
 * rebinding); a browser then sends that name. A port is not compared, since tunnels change it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HTTP_HEAD_MAX = 8192 };
enum {
    HTTP_OK = 200,
    HTTP_NOT_MODIFIED = 304,
    HTTP_BAD_REQUEST = 400,
    HTTP_NOT_FOUND = 404,
    HTTP_NO_METHOD = 405,
    HTTP_MISDIRECTED = 421,
    HTTP_HEAD_TOO_LARGE = 431,
    HTTP_UNAVAILABLE = 503,
    HTTP_NO_VERSION = 505
};

struct http_request {
    const char *path; /* begins with '/'; a query belongs to it */
    const char *tag;  /* If-None-Match; "" where there is none */
};

/* The bytes up to and with the blank line that ends the head; 0: there is none yet. */
size_t http_head_length(const char *bytes, size_t n);
/* Reads a head of n bytes, of which it makes texts: *q points into it. Returns HTTP_OK, or the
 * status of the refusal. */
int http_read_head(char *head, size_t n, struct http_request *q);
/* "Not Found". */
const char *http_reason(int status);
