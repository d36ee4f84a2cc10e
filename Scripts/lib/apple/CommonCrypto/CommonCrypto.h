// The part of CommonCrypto that Sources/SeedFiles uses; see Darwin.h.
#pragma once
typedef unsigned int CC_LONG;
typedef struct { CC_LONG count[2], hash[8], wbuf[16]; } CC_SHA256_CTX;
int CC_SHA256_Init(CC_SHA256_CTX *context);
int CC_SHA256_Update(CC_SHA256_CTX *context, const void *data, CC_LONG length);
int CC_SHA256_Final(unsigned char *digest, CC_SHA256_CTX *context);
unsigned char *CC_SHA512(const void *data, CC_LONG length, unsigned char *digest);
unsigned char *CC_MD5(const void *data, CC_LONG length, unsigned char *digest) __attribute__((deprecated));
