/* The EEPROM: who the unit is, and a ring of states for a restart that cleared the memory. Portable: the board
 * writes the bytes that store_next gives, one whenever the EEPROM is ready.
 *
 * Writes are bounded: a state is written at the start, every 20 s while the clock runs and once when it has
 * stopped, never within 2 s of the last; 31 slots in turn last for two years of running without a pause at
 * 100,000 writes a cell. */
#ifndef CROWNHEAD_STORE_H
#define CROWNHEAD_STORE_H

#include "core.h"

#define STORE_SIZE 1024
#define SLOT_SIZE 32
#define SLOTS 31 /* the first 32 bytes hold the identity */

struct store {
    uint8_t bytes[SLOT_SIZE];
    uint16_t at;
    uint8_t count, written, slot;
    uint16_t serial;
    int64_t written_us;
    bool begun, ran;
};

/* Reads `eeprom` through `read`; gives whether a state was found. */
bool store_start(struct store *s, uint8_t (*read)(uint16_t at), struct kept *state, struct identify *identity);
void store_run(struct store *s, struct unit *u, int64_t now_us);
bool store_next(struct store *s, uint16_t *at, uint8_t *byte);

#endif
