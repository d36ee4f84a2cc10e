#pragma once
#include <dlfcn.h>
#include <microhttpd.h>
#include <poll.h>
#include <string.h>

// libmicrohttpd is loaded when the first server starts, not linked: with the libraries for TLS that
// it brings it would make every start of the tool slower, also of those that serve nothing. Its
// functions are found by name; the header gives the types and the constants.

/// The functions of libmicrohttpd that are used.
typedef struct seed_microhttpd {
  void *get_version, *start_daemon, *stop_daemon;
  void *create_response, *add_header, *queue_response, *destroy_response;
  void *lookup_value, *connection_info;
} seed_microhttpd;

/// Loads the library of a name; false if it is not there or older than 0.9.71, whose callbacks
/// have another type.
static inline int seed_microhttpd_load(const char *name, seed_microhttpd *library) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  library->get_version = dlsym(handle, "MHD_get_version");
  library->start_daemon = dlsym(handle, "MHD_start_daemon");
  library->stop_daemon = dlsym(handle, "MHD_stop_daemon");
  library->create_response = dlsym(handle, "MHD_create_response_from_callback");
  library->add_header = dlsym(handle, "MHD_add_response_header");
  library->queue_response = dlsym(handle, "MHD_queue_response");
  library->destroy_response = dlsym(handle, "MHD_destroy_response");
  library->lookup_value = dlsym(handle, "MHD_lookup_connection_value");
  library->connection_info = dlsym(handle, "MHD_get_connection_info");
  if (!(library->get_version && library->start_daemon && library->stop_daemon &&
        library->create_response && library->add_header && library->queue_response &&
        library->destroy_response && library->lookup_value && library->connection_info))
    return 0;
  return strverscmp(((const char *(*)(void))library->get_version)(), "0.9.71") >= 0;
}

/// Leaves the target of a request as it was sent: a NUL that stands in it percent-encoded must not
/// end it.
static inline size_t seed_microhttpd_keep(void *context, struct MHD_Connection *connection,
                                          char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

typedef void *(*seed_microhttpd_begin)(void *context, const char *target,
                                       struct MHD_Connection *connection);

/// Starts a server on a socket that listens already, with a thread for each connection; the
/// library closes the socket when the server stops. Null if it does not start.
static inline void *seed_microhttpd_start(const seed_microhttpd *library, int listener,
                                          unsigned connectionLimit, unsigned timeoutSeconds,
                                          size_t memoryLimit, void *context,
                                          seed_microhttpd_begin begin,
                                          MHD_AccessHandlerCallback handle,
                                          MHD_RequestCompletedCallback finish) {
  struct MHD_Daemon *(*start)(unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *,
                              MHD_AccessHandlerCallback, void *, ...) =
      (struct MHD_Daemon * (*)(unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *,
                               MHD_AccessHandlerCallback, void *, ...)) library->start_daemon;
  unsigned int flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                       MHD_USE_POLL | MHD_USE_ITC;
  return start(flags, 0, NULL, NULL, handle, context, MHD_OPTION_LISTEN_SOCKET, listener,
               MHD_OPTION_CONNECTION_LIMIT, connectionLimit, MHD_OPTION_CONNECTION_TIMEOUT,
               timeoutSeconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memoryLimit,
               MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, seed_microhttpd_keep,
               (void *)NULL, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
               MHD_OPTION_NOTIFY_COMPLETED, finish, context, MHD_OPTION_END);
}

/// Stops a server: waits for the threads of its connections.
static inline void seed_microhttpd_stop(const seed_microhttpd *library, void *daemon) {
  ((void (*)(struct MHD_Daemon *))library->stop_daemon)((struct MHD_Daemon *)daemon);
}

/// The value of a request's header; null if it has none of the name.
static inline const char *seed_microhttpd_header(const seed_microhttpd *library,
                                                 struct MHD_Connection *connection,
                                                 const char *name) {
  return ((const char *(*)(struct MHD_Connection *, enum MHD_ValueKind,
                           const char *))library->lookup_value)(connection, MHD_HEADER_KIND, name);
}

/// The socket of a connection; -1 if it has none.
static inline int seed_microhttpd_socket(const seed_microhttpd *library,
                                         struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      ((const union MHD_ConnectionInfo *(*)(struct MHD_Connection *, enum MHD_ConnectionInfoType,
                                            ...))library->connection_info)(
          connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// An answer whose body a callback gives; a count of -1 stands for one that is not known.
static inline void *seed_microhttpd_answer(const seed_microhttpd *library, int64_t byteCount,
                                           size_t blockSize, MHD_ContentReaderCallback read,
                                           void *context, MHD_ContentReaderFreeCallback release) {
  return ((struct MHD_Response * (*)(uint64_t, size_t, MHD_ContentReaderCallback, void *,
                                     MHD_ContentReaderFreeCallback)) library->create_response)(
      byteCount < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)byteCount, blockSize, read, context, release);
}

static inline int seed_microhttpd_add(const seed_microhttpd *library, void *answer,
                                      const char *name, const char *value) {
  return ((enum MHD_Result(*)(struct MHD_Response *, const char *, const char *))
              library->add_header)((struct MHD_Response *)answer, name, value) == MHD_YES;
}

/// Sends an answer and gives it up.
static inline enum MHD_Result seed_microhttpd_send(const seed_microhttpd *library,
                                                   struct MHD_Connection *connection,
                                                   unsigned status, void *answer) {
  enum MHD_Result result =
      ((enum MHD_Result(*)(struct MHD_Connection *, unsigned int, struct MHD_Response *))
           library->queue_response)(connection, status, (struct MHD_Response *)answer);
  ((void (*)(struct MHD_Response *))library->destroy_response)((struct MHD_Response *)answer);
  return result;
}

/// What a handler returns that gives up the connection; Swift sees the library's own names
/// otherwise in each of its versions.
static inline enum MHD_Result seed_microhttpd_refuse(void) { return MHD_NO; }

/// What a handler returns that wants to be called again when all of the request has come.
static inline enum MHD_Result seed_microhttpd_continue(void) { return MHD_YES; }

#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif

/// Waits for the other side of a socket to hang up, and tells whether it did.
static inline int seed_socket_hangs_up(int descriptor, int milliseconds) {
  struct pollfd socket = {descriptor, POLLRDHUP, 0};
  return poll(&socket, 1, milliseconds) > 0;
}

// What ends a body, as numbers: Swift does not read the casts in the library's own names.
enum { seed_microhttpd_end = -1, seed_microhttpd_cut = -2 };
