/* http_server.c - see http_server.h. */
#include "base/http/http_server.h"

#include "base/http/http_request.h"
#include "base/memory/alloc.h"
#include "base/run/progress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TURN_MS = 250, QUEUE = 64 };

/* A connection reads a head, writes an answer, and then reads what the client still sends until the
 * client closes: a close before that may take the answer away from the client. */
enum client_state { CLIENT_NONE, CLIENT_READS, CLIENT_WRITES, CLIENT_ENDS };

struct client {
    enum client_state state;
    int fd;
    double deadline; /* of progress_clock_seconds */
    char head[HTTP_HEAD_MAX];
    size_t read, sent;
    struct text answer;             /* status line, headers, and a short body */
    struct http_document *document; /* what follows; NULL: nothing */
};

struct http_server {
    int listener;
    http_handler *handler;
    void *ctx;
    /* The process had no file for a connection, which waits until the next turn. */
    bool no_file;
    struct client client[HTTP_CLIENTS_MAX];
};

struct http_document *http_document_new(const char *type)
{
    struct http_document *d = mem_new(1, sizeof *d);
    if (d) *d = (struct http_document){.type = type, .references = 1};
    return d;
}

void http_document_release(struct http_document *d)
{
    if (!d || --d->references > 0) return;
    text_fini(&d->body);
    mem_free(d);
}

int http_listen(uint16_t *port, struct error *e)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              bind(fd, (struct sockaddr *)&at, n) == 0 && listen(fd, QUEUE) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &n) == 0;
    if (ok) {
        *port = ntohs(at.sin_port);
        return fd;
    }
    int why = errno;
    if (fd >= 0) close(fd);
    error_input(e, "port %d of 127.0.0.1: %s; name another one, or 0 for any that is free", *port,
                why == EADDRINUSE ? "another program has it" : strerror(why));
    return -1;
}

/* --- answers --- */

static void drop(struct client *c)
{
    close(c->fd);
    text_fini(&c->answer);
    http_document_release(c->document);
    *c = (struct client){0};
}

static void add_head(struct client *c, int status, const char *type, size_t length)
{
    text_add(&c->answer,
             "HTTP/1.1 %d %s\r\nConnection: close\r\nCache-Control: no-store\r\n"
             "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
             "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n"
             "Content-Type: %s\r\nContent-Length: %zu\r\n",
             status, http_reason(status), type, length);
    if (status == HTTP_NO_METHOD) text_add(&c->answer, "Allow: GET\r\n");
    if (c->document && *c->document->tag) text_add(&c->answer, "ETag: %s\r\n", c->document->tag);
    text_add(&c->answer, "\r\n");
}

static void refuse(struct client *c, int status, const char *why)
{
    if (!why) why = http_reason(status);
    add_head(c, status, "text/plain; charset=utf-8", strlen(why) + 1);
    text_add(&c->answer, "%s\n", why);
}

static void answer(struct http_server *s, struct client *c, size_t head)
{
    struct http_request q;
    struct http_document *d = NULL;
    const char *why = NULL;
    int status = head ? http_read_head(c->head, head, &q) : HTTP_HEAD_TOO_LARGE;
    if (status == HTTP_OK) status = s->handler(q.path, &d, &why, s->ctx);
    if (status != HTTP_OK) {
        refuse(c, status, why);
    } else {
        c->document = d;
        d->references++;
        bool known = *d->tag && strcmp(q.tag, d->tag) == 0;
        if (known) status = HTTP_NOT_MODIFIED;
        add_head(c, status, d->type, d->body.len);
        if (known) {
            http_document_release(d);
            c->document = NULL;
        }
    }
    c->state = CLIENT_WRITES;
    c->deadline = progress_clock_seconds() + HTTP_PATIENCE;
}

/* --- connections --- */

static void read_some(struct http_server *s, struct client *c)
{
    ssize_t n = recv(c->fd, c->head + c->read, sizeof c->head - c->read, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
        drop(c);
        return;
    }
    c->read += (size_t)n;
    size_t head = http_head_length(c->head, c->read);
    if (head || c->read == sizeof c->head) answer(s, c, head);
}

static void write_some(struct client *c)
{
    const struct text *part[] = {&c->answer, c->document ? &c->document->body : &c->answer};
    bool second = c->sent >= c->answer.len;
    size_t all = c->answer.len + (c->document ? c->document->body.len : 0);
    size_t from = second ? c->sent - c->answer.len : c->sent;
    ssize_t n = send(c->fd, text_str(part[second]) + from, part[second]->len - from, MSG_NOSIGNAL);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n < 0 || c->answer.failed) {
        drop(c);
        return;
    }
    c->sent += (size_t)n;
    c->deadline = progress_clock_seconds() + HTTP_PATIENCE;
    if (c->sent < all) return;
    shutdown(c->fd, SHUT_WR);
    c->state = CLIENT_ENDS;
}

static void let_end(struct client *c)
{
    ssize_t n = recv(c->fd, c->head, sizeof c->head, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) drop(c);
}

static void serve_client(struct http_server *s, struct client *c, short events)
{
    if (events && c->state == CLIENT_READS)
        read_some(s, c);
    else if (events && c->state == CLIENT_WRITES)
        write_some(c);
    else if (events)
        let_end(c);
    if (c->state != CLIENT_NONE && progress_clock_seconds() > c->deadline) drop(c);
}

/* A place for a new connection: a free one, else that of the client which has sent no whole head,
 * or has all of its answer, for longest. NULL: all clients are taking their answers in. */
static struct client *find_place(struct http_server *s)
{
    struct client *longest = NULL;
    for (int i = 0; i < HTTP_CLIENTS_MAX; i++) {
        struct client *c = &s->client[i];
        if (c->state == CLIENT_NONE) return c;
        if (c->state != CLIENT_WRITES && (!longest || c->deadline < longest->deadline)) longest = c;
    }
    return longest;
}

static void take_client(struct http_server *s)
{
    struct client *c = find_place(s);
    int fd = c ? accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
    s->no_file =
        c && fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (fd < 0) return;
    if (c->state != CLIENT_NONE) drop(c);
    c->state = CLIENT_READS;
    c->fd = fd;
    c->deadline = progress_clock_seconds() + HTTP_PATIENCE;
}

/* Waits for the sockets that have something to do, a quarter of a second at most, and serves them.
 */
static bool turn(struct http_server *s, struct error *e)
{
    struct pollfd wait[HTTP_CLIENTS_MAX + 1];
    for (int i = 0; i < HTTP_CLIENTS_MAX; i++) {
        const struct client *c = &s->client[i];
        wait[i] = (struct pollfd){.fd = c->state == CLIENT_NONE ? -1 : c->fd,
                                  .events = c->state == CLIENT_WRITES ? POLLOUT : POLLIN};
    }
    bool listens = find_place(s) && !s->no_file;
    s->no_file = false;
    wait[HTTP_CLIENTS_MAX] = (struct pollfd){.fd = listens ? s->listener : -1, .events = POLLIN};
    if (poll(wait, HTTP_CLIENTS_MAX + 1, TURN_MS) < 0 && errno != EINTR)
        return error_run(e, "the port of 127.0.0.1: %s", strerror(errno));
    for (int i = 0; i < HTTP_CLIENTS_MAX; i++)
        if (s->client[i].state != CLIENT_NONE) serve_client(s, &s->client[i], wait[i].revents);
    if (wait[HTTP_CLIENTS_MAX].revents) take_client(s);
    return true;
}

bool http_serve(int listener, http_handler *handler, void *ctx, const _Atomic bool *stop,
                struct error *e)
{
    struct http_server *s = mem_new(1, sizeof *s);
    bool ok = s || error_no_memory(e);
    if (s) *s = (struct http_server){.listener = listener, .handler = handler, .ctx = ctx};
    while (ok && !*stop)
        ok = turn(s, e);
    for (int i = 0; s && i < HTTP_CLIENTS_MAX; i++)
        if (s->client[i].state != CLIENT_NONE) drop(&s->client[i]);
    mem_free(s);
    close(listener);
    return ok;
}
