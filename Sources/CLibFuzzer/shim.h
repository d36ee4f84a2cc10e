#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main loop, part of the runtime that `-sanitize=fuzzer` links. The package manager
/// renames every program's `main`, so the loop is called instead of the runtime's own `main`.
int LLVMFuzzerRunDriver(int *argumentCount, char ***arguments,
                        int (*run)(const uint8_t *start, size_t count));
