#pragma once
#include <curl/curl.h>
#include <dlfcn.h>

// libcurl is loaded when the first request is made, not linked: with the thirty libraries that it
// brings it would make every start of the tool several times slower and larger, also of those that
// fetch nothing. Its functions are found by name; the header gives the types and the constants.

/// The functions of libcurl that are used.
typedef struct seed_curl {
  void *global_init, *easy_init, *easy_reset, *easy_setopt, *easy_getinfo, *easy_cleanup;
  void *easy_strerror, *slist_append, *slist_free_all;
  void *multi_init, *multi_add_handle, *multi_remove_handle, *multi_perform, *multi_poll;
  void *multi_wakeup, *multi_info_read, *multi_cleanup;
} seed_curl;

/// Loads the library of a name; false if it is not there, is older than 7.68 or does not start.
static inline int seed_curl_load(const char *name, seed_curl *curl) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  curl->global_init = dlsym(library, "curl_global_init");
  curl->easy_init = dlsym(library, "curl_easy_init");
  curl->easy_reset = dlsym(library, "curl_easy_reset");
  curl->easy_setopt = dlsym(library, "curl_easy_setopt");
  curl->easy_getinfo = dlsym(library, "curl_easy_getinfo");
  curl->easy_cleanup = dlsym(library, "curl_easy_cleanup");
  curl->easy_strerror = dlsym(library, "curl_easy_strerror");
  curl->slist_append = dlsym(library, "curl_slist_append");
  curl->slist_free_all = dlsym(library, "curl_slist_free_all");
  curl->multi_init = dlsym(library, "curl_multi_init");
  curl->multi_add_handle = dlsym(library, "curl_multi_add_handle");
  curl->multi_remove_handle = dlsym(library, "curl_multi_remove_handle");
  curl->multi_perform = dlsym(library, "curl_multi_perform");
  curl->multi_poll = dlsym(library, "curl_multi_poll");
  curl->multi_wakeup = dlsym(library, "curl_multi_wakeup");
  curl->multi_info_read = dlsym(library, "curl_multi_info_read");
  curl->multi_cleanup = dlsym(library, "curl_multi_cleanup");
  return curl->global_init && curl->easy_init && curl->easy_reset && curl->easy_setopt &&
         curl->easy_getinfo && curl->easy_cleanup && curl->easy_strerror && curl->slist_append &&
         curl->slist_free_all && curl->multi_init && curl->multi_add_handle &&
         curl->multi_remove_handle && curl->multi_perform && curl->multi_poll &&
         curl->multi_wakeup && curl->multi_info_read && curl->multi_cleanup &&
         ((CURLcode(*)(long))curl->global_init)(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static inline void *seed_curl_easy_init(const seed_curl *curl) {
  return ((CURL * (*)(void)) curl->easy_init)();
}

static inline void seed_curl_easy_reset(const seed_curl *curl, void *easy) {
  ((void (*)(CURL *))curl->easy_reset)(easy);
}

static inline void seed_curl_easy_cleanup(const seed_curl *curl, void *easy) {
  ((void (*)(CURL *))curl->easy_cleanup)(easy);
}

static inline const char *seed_curl_easy_strerror(const seed_curl *curl, int code) {
  return ((const char *(*)(CURLcode))curl->easy_strerror)((CURLcode)code);
}

// Swift cannot call C functions with variable arguments; each kind of argument has a form here.

static inline int seed_curl_set_long(const seed_curl *curl, void *easy, int option, long value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))curl->easy_setopt)(easy, (CURLoption)option, value);
}

static inline int seed_curl_set_text(const seed_curl *curl, void *easy, int option,
                                     const char *value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))curl->easy_setopt)(easy, (CURLoption)option, value);
}

static inline int seed_curl_set_pointer(const seed_curl *curl, void *easy, int option,
                                        void *value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))curl->easy_setopt)(easy, (CURLoption)option, value);
}

typedef size_t (*seed_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline int seed_curl_set_callback(const seed_curl *curl, void *easy, int option,
                                         seed_curl_callback value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))curl->easy_setopt)(easy, (CURLoption)option, value);
}

/// The body of a request, which libcurl copies.
static inline int seed_curl_set_body(const seed_curl *curl, void *easy, const void *bytes,
                                     long count) {
  CURLcode (*set)(CURL *, CURLoption, ...) = (CURLcode(*)(CURL *, CURLoption, ...))curl->easy_setopt;
  CURLcode code = set(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code != CURLE_OK ? code : set(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Whether a connection is there and the request is being sent or was sent.
static inline int seed_curl_is_connected(const seed_curl *curl, void *easy) {
  curl_off_t time = 0;
  CURLcode code = ((CURLcode(*)(CURL *, CURLINFO, ...))curl->easy_getinfo)(
      easy, CURLINFO_PRETRANSFER_TIME_T, &time);
  return code == CURLE_OK && time > 0;
}

static inline void *seed_curl_list_append(const seed_curl *curl, void *list, const char *text) {
  return ((struct curl_slist * (*)(struct curl_slist *, const char *)) curl->slist_append)(list,
                                                                                          text);
}

static inline void seed_curl_list_free(const seed_curl *curl, void *list) {
  ((void (*)(struct curl_slist *))curl->slist_free_all)(list);
}

static inline void *seed_curl_multi_init(const seed_curl *curl) {
  return ((CURLM * (*)(void)) curl->multi_init)();
}

static inline int seed_curl_multi_add(const seed_curl *curl, void *multi, void *easy) {
  return ((CURLMcode(*)(CURLM *, CURL *))curl->multi_add_handle)(multi, easy);
}

static inline int seed_curl_multi_remove(const seed_curl *curl, void *multi, void *easy) {
  return ((CURLMcode(*)(CURLM *, CURL *))curl->multi_remove_handle)(multi, easy);
}

static inline int seed_curl_multi_perform(const seed_curl *curl, void *multi) {
  int running = 0;
  return ((CURLMcode(*)(CURLM *, int *))curl->multi_perform)(multi, &running);
}

static inline int seed_curl_multi_poll(const seed_curl *curl, void *multi, int milliseconds) {
  int count = 0;
  return ((CURLMcode(*)(CURLM *, struct curl_waitfd *, unsigned, int, int *))curl->multi_poll)(
      multi, (struct curl_waitfd *)0, 0, milliseconds, &count);
}

static inline int seed_curl_multi_wakeup(const seed_curl *curl, void *multi) {
  return ((CURLMcode(*)(CURLM *))curl->multi_wakeup)(multi);
}

static inline void seed_curl_multi_cleanup(const seed_curl *curl, void *multi) {
  ((CURLMcode(*)(CURLM *))curl->multi_cleanup)(multi);
}

/// The result of the transfer that has ended, or -1 while there is none.
static inline int seed_curl_multi_result(const seed_curl *curl, void *multi) {
  int left = 0;
  CURLMsg *message;
  while ((message = ((CURLMsg * (*)(CURLM *, int *)) curl->multi_info_read)(multi, &left))) {
    if (message->msg == CURLMSG_DONE) return message->data.result;
  }
  return -1;
}

// The constants as numbers: Swift would see a type of its own for each enumeration.
enum {
  seed_curl_write_function = CURLOPT_WRITEFUNCTION,
  seed_curl_write_data = CURLOPT_WRITEDATA,
  seed_curl_header_function = CURLOPT_HEADERFUNCTION,
  seed_curl_header_data = CURLOPT_HEADERDATA,
  seed_curl_error_buffer = CURLOPT_ERRORBUFFER,
  seed_curl_url = CURLOPT_URL,
  seed_curl_headers = CURLOPT_HTTPHEADER,
  seed_curl_header_option = CURLOPT_HEADEROPT,
  seed_curl_header_separate = CURLHEADER_SEPARATE,
  seed_curl_user_agent = CURLOPT_USERAGENT,
  seed_curl_no_body = CURLOPT_NOBODY,
  seed_curl_post = CURLOPT_POST,
  seed_curl_custom_request = CURLOPT_CUSTOMREQUEST,
  seed_curl_follow_location = CURLOPT_FOLLOWLOCATION,
  seed_curl_no_signal = CURLOPT_NOSIGNAL,
  seed_curl_path_as_is = CURLOPT_PATH_AS_IS,
  seed_curl_suppress_connect_headers = CURLOPT_SUPPRESS_CONNECT_HEADERS,
  seed_curl_connect_timeout = CURLOPT_CONNECTTIMEOUT_MS,
  seed_curl_ca_file = CURLOPT_CAINFO,
  seed_curl_verify_peer = CURLOPT_SSL_VERIFYPEER,
  seed_curl_verify_host = CURLOPT_SSL_VERIFYHOST,
  seed_curl_error_size = CURL_ERROR_SIZE,

  seed_curl_ok = CURLE_OK,
  seed_curl_unsupported_protocol = CURLE_UNSUPPORTED_PROTOCOL,
  seed_curl_bad_url = CURLE_URL_MALFORMAT,
  seed_curl_no_proxy_name = CURLE_COULDNT_RESOLVE_PROXY,
  seed_curl_no_host_name = CURLE_COULDNT_RESOLVE_HOST,
  seed_curl_no_connection = CURLE_COULDNT_CONNECT,
  seed_curl_weird_reply = CURLE_WEIRD_SERVER_REPLY,
  seed_curl_partial = CURLE_PARTIAL_FILE,
  seed_curl_timed_out = CURLE_OPERATION_TIMEDOUT,
  seed_curl_handshake_failed = CURLE_SSL_CONNECT_ERROR,
  seed_curl_got_nothing = CURLE_GOT_NOTHING,
  seed_curl_send_error = CURLE_SEND_ERROR,
  seed_curl_receive_error = CURLE_RECV_ERROR,
  seed_curl_untrusted = CURLE_PEER_FAILED_VERIFICATION,
  seed_curl_bad_ca_file = CURLE_SSL_CACERT_BADFILE,
  seed_curl_bad_issuer = CURLE_SSL_ISSUER_ERROR,
  seed_curl_http2 = CURLE_HTTP2,
  seed_curl_http2_stream = CURLE_HTTP2_STREAM,
  seed_curl_proxy = CURLE_PROXY,
};
