/* http_server.h - a small HTTP/1.1 server on 127.0.0.1, for pages that a browser of this host
 * shows.
 *
 * One thread serves at most HTTP_CLIENTS_MAX connections; a further one takes the place of the one
 * that has been silent for longest. Each connection gets one answer and is closed, so that a
 * request has no body and no successor to read. A request's head must be there HTTP_PATIENCE
 * seconds after the connection, and a client must take some of its answer in as many, or the
 * connection is dropped. Nothing that a client sends reaches a file: the handler chooses among
 * documents in memory.
 *
 * A library (libmicrohttpd) was weighed: its callbacks and this check of requests take two thirds
 * of these lines, and every package would depend on it. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { HTTP_CLIENTS_MAX = 16, HTTP_PATIENCE = 10 };

/* What is answered to a path. The server keeps a reference while it sends. */
struct http_document {
    struct text body;
    const char *type;    /* "text/html; charset=utf-8" */
    char tag[72];        /* ETag, with its quotes; "": none */
    unsigned references; /* the creator's is one; http_document_release */
};

struct http_document *http_document_new(const char *type); /* NULL: no memory */
void http_document_release(struct http_document *d);       /* NULL is fine */

/* Returns the status, and with HTTP_OK the document, of which the caller of http_serve keeps its
 * own reference. With other statuses *why may be a line of text for the client. */
typedef int http_handler(const char *path, struct http_document **d, const char **why, void *ctx);

/* Opens a port of 127.0.0.1; 0: any that is free. Returns the socket and sets *port, or -1. */
int http_listen(uint16_t *port, struct error *e);
/* Serves until *stop, and closes the socket. false: the host gives no more. */
bool http_serve(int listener, http_handler *handler, void *ctx, const _Atomic bool *stop,
                struct error *e);
