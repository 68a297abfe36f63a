#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#endif

/* The state, in canonical bytes; a few more, so that wide loads stay inside. */
static uint8_t s[STATE + 8];

static uint64_t seed, keys[SEATS + 1], ticks[SEATS + 1];
static jmp_buf out;
static int reason;
static uint8_t *kept;

uint8_t *gw_state(void) { return s; }
void gw_seed(uint64_t of) { seed = of; }

static void give_up(int why) __attribute__((noreturn, cold));
static void give_up(int why) {
    reason = why;
    longjmp(out, 1);
}

#define SMALLER(name, type) \
    static inline type min_##name(type a, type b) { return a < b ? a : b; } \
    static inline type max_##name(type a, type b) { return a > b ? a : b; }
SMALLER(i, int32_t)
SMALLER(l, int64_t)

/* Cells of more than one byte, the lowest byte first. */
#define CELL(width) \
    static inline uint64_t load##width(int at) { \
        uint64_t found = 0; \
        memcpy(&found, s + at, width); \
        return found; \
    } \
    static inline void store##width(int at, uint64_t value) { memcpy(s + at, &value, width); }
CELL(2)
CELL(3)
CELL(4)
CELL(5)
CELL(6)
CELL(7)
CELL(8)

/* The chance of the language. */
#define GAMMA UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t finalise(uint64_t v) {
    v = (v ^ (v >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    v = (v ^ (v >> 27)) * UINT64_C(0x94D049BB133111EB);
    return v ^ (v >> 31);
}

static uint64_t key(uint64_t game, uint64_t stream) {
    return finalise(finalise(finalise(seed + GAMMA) + game + GAMMA) + stream + GAMMA);
}

static inline uint64_t word(int stream) {
    uint64_t tick;
    if (stream) {
        tick = ++ticks[stream];
        return finalise(keys[stream] + tick * GAMMA);
    }
    tick = load4(TICK) + 1;
    store4(TICK, tick);
    return finalise(load8(KEY) + tick * GAMMA);
}

static inline uint64_t draw(int stream, uint64_t n) {
    return ((word(stream) >> 32) * n) >> 32;
}

/* The high half of a product of 128 bits. */
static inline uint64_t high_half(uint64_t a, uint64_t b) {
    uint64_t low = (uint32_t)a * (b & UINT32_MAX);
    uint64_t mixed = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (uint32_t)a * (b >> 32) + (mixed & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (mixed >> 32) + (other >> 32);
}

static inline uint64_t draw_wide(int stream, uint64_t n) {
    if (n <= UINT64_C(1) << 32) return draw(stream, n);
    return high_half(word(stream), n);
}

/* The state at hand with the chance of a game. */
static void restart(int64_t number) {
    store8(KEY, key((uint64_t)number, 0));
    store4(TICK, 0);
    for (int stream = 1; stream <= SEATS; stream++) {
        keys[stream] = key((uint64_t)number, (uint64_t)stream);
        ticks[stream] = 0;
    }
}

static void keep(const void *record) {
    memcpy(kept, s, STATE);
    memcpy(kept + STATE, record, RECORD);
    kept += STATE + RECORD;
}
