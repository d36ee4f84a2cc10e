#pragma once
#include <stddef.h>
#include <stdint.h>

// The functions of OpenSSL 3's <openssl/evp.h> that are used, declared here: that header pulls in
// <pthread.h>, whose types Swift would then look for in this module alone. The signatures are part
// of OpenSSL's stable interface.

typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct ossl_param_st OSSL_PARAM;
typedef struct ossl_init_settings_st OPENSSL_INIT_SETTINGS;

#define OPENSSL_INIT_NO_LOAD_CONFIG 0x00000080L

int OPENSSL_init_crypto(uint64_t options, const OPENSSL_INIT_SETTINGS *settings);
EVP_MD *EVP_MD_fetch(OSSL_LIB_CTX *context, const char *algorithm, const char *properties);
void EVP_MD_free(EVP_MD *type);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
int EVP_MD_CTX_copy_ex(EVP_MD_CTX *to, const EVP_MD_CTX *from);
int EVP_DigestInit_ex2(EVP_MD_CTX *context, const EVP_MD *type, const OSSL_PARAM *parameters);
int EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t count);
int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *digest, unsigned int *count);
int EVP_Digest(const void *data, size_t count, unsigned char *digest, unsigned int *size,
               const EVP_MD *type, void *engine);

// Signatures.

typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct engine_st ENGINE;

EVP_PKEY *EVP_PKEY_new_raw_public_key_ex(OSSL_LIB_CTX *context, const char *algorithm,
                                         const char *properties, const unsigned char *key,
                                         size_t count);
EVP_PKEY *EVP_PKEY_new_raw_private_key_ex(OSSL_LIB_CTX *context, const char *algorithm,
                                          const char *properties, const unsigned char *key,
                                          size_t count);
int EVP_PKEY_get_raw_public_key(const EVP_PKEY *key, unsigned char *bytes, size_t *count);
void EVP_PKEY_free(EVP_PKEY *key);
int EVP_DigestSignInit(EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *type,
                       ENGINE *engine, EVP_PKEY *key);
int EVP_DigestSign(EVP_MD_CTX *context, unsigned char *signature, size_t *signatureCount,
                   const unsigned char *data, size_t count);
int EVP_DigestVerifyInit(EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *type,
                         ENGINE *engine, EVP_PKEY *key);
int EVP_DigestVerify(EVP_MD_CTX *context, const unsigned char *signature, size_t signatureCount,
                     const unsigned char *data, size_t count);
