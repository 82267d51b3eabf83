/* What the kernel uses of the C library, for WebAssembly, which has none. build.py leaves it out elsewhere.
 *
 * Compilers know these loops and would turn the one of memcpy into a call of memcpy: hence no_builtin. Most calls never
 * come here, since clang writes memcpy, memmove and memset as one instruction (-mbulk-memory).
 */
#include <string.h>

#define OWN __attribute__((no_builtin))

OWN void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    for (size_t at = 0; at < size; at++) ((char *)to)[at] = ((const char *)from)[at];
    return to;
}

OWN void *memmove(void *to, const void *from, size_t size) {
    const char *source = from;
    char *target = to;
    if (target < source) {
        for (size_t at = 0; at < size; at++) target[at] = source[at];
    } else {
        while (size--) target[size] = source[size];
    }
    return to;
}

OWN void *memset(void *to, int byte, size_t size) {
    for (size_t at = 0; at < size; at++) ((char *)to)[at] = (char)byte;
    return to;
}

OWN void *memchr(const void *in, int byte, size_t size) {
    const unsigned char *at = in;
    for (; size; at++, size--) {
        if (*at == (unsigned char)byte) return (void *)at;
    }
    return NULL;
}

OWN int memcmp(const void *one, const void *other, size_t size) {
    const unsigned char *left = one, *right = other;
    for (; size; left++, right++, size--) {
        if (*left != *right) return *left < *right ? -1 : 1;
    }
    return 0;
}

OWN size_t strlen(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}

OWN int strncmp(const char *one, const char *other, size_t size) {
    for (; size; one++, other++, size--) {
        unsigned char left = (unsigned char)*one, right = (unsigned char)*other;
        if (left != right) return left < right ? -1 : 1;
        if (!left) break;
    }
    return 0;
}

OWN int strcmp(const char *one, const char *other) { return strncmp(one, other, (size_t)-1); }
