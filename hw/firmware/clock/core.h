/* The clock unit without its wires: time, presses, the flag, events, words. Portable; no I/O.
 *
 * Rules of the house (the same as of firmware_bridge/sim/clock/reference_unit.py, which must agree to the ms):
 * 1. What a side has left is what it had at since_us less the time gone since; nothing is counted up.
 * 2. With the link up a press changes nothing: it is stamped and reported, the daemon answers with the
 *    whole state. A press by the side that owes a crown is refused at once.
 * 3. A press not yet judged holds the flag back if it came before the time ended.
 * 4. With the link lost the unit applies the presses not yet judged as of their stamps, then every press of
 *    the running side; a press of the other side, or within 30 ms of the last switch, is only reported.
 * 5. The first flag is latched with its time until a command clears it.
 * 6. After a restart the unit stands stopped with the last times and never goes on by itself.
 *
 * Sides are enum side; arrays by side are indexed side - 1. Stamps are microseconds since the start. */
#ifndef CROWNHEAD_CORE_H
#define CROWNHEAD_CORE_H

#include "protocol.h"

/* Not to be inlined: its buffers would lie in the caller's frame all the time, and there are 2 KB in all. */
#define OWN_FRAME __attribute__((noinline))

#define WAITING_MAX 8
#define FIRMWARE_VERSION 10000UL /* major * 10000 + minor * 100 + patch */
#define BATTERY_LOW_MV 3500

/* One event in the ring. `check` tells after a restart whether the entry was written whole. */
struct event {
    uint16_t number;
    uint8_t code;
    uint8_t side;
    uint8_t detail;
    uint16_t data;
    uint8_t at[6];
    uint8_t check;
};

/* What must come through a restart. `left_us` and `free_us` are as of `since_us`. */
struct kept {
    int64_t since_us;
    int64_t left_us[2];
    uint32_t free_us;
    uint32_t add_ms, bonus_ms, delay_ms;
    uint16_t moves[2];
    uint16_t newest, acknowledged, boot_id;
    uint8_t running, flag, hold, hold_square, every;
};

/* Memory that a restart does not clear. The copies are written in turn, so one of them is always whole. */
struct memory {
    struct {
        struct kept kept;
        uint16_t serial;
        uint16_t crc;
    } copy[2];
    int64_t alive_us, alive_check;
    struct event ring[EVENT_RING];
};

struct waiting {
    int64_t at_us;
    uint16_t number;
    uint8_t side;
};

struct face {
    int64_t since_us;
    uint8_t word;
};

struct unit {
    struct memory *memory;
    struct kept kept;
    uint8_t copy;
    uint16_t serial;
    struct waiting waiting[WAITING_MAX];
    uint8_t waiting_count;
    int64_t told_flag_us, switched_us, heard_us, lost_us, lit_until_us;
    uint16_t applied, last_command, supply_mv;
    uint8_t told_flag, cause, survived;
    bool switched, supervised, alone, crown_shown;
    bool touched[2];
    int64_t touched_us[2];
    struct face face[2];
    struct configure setup;
    struct identify identity;
    bool identity_changed;
};

uint16_t crc16(uint16_t crc, const uint8_t *data, uint16_t size);
uint16_t number_after(uint16_t number);
bool number_newer(uint16_t number, uint16_t other);

/* Starts with what `memory` kept, stopped as of its last sign of life; or else with `stored` (a state read
 * from the EEPROM) or, where that is NULL too, with nothing. */
void unit_start(struct unit *u, struct memory *memory, const struct kept *stored, uint8_t cause);
void unit_alive(struct unit *u, int64_t now_us);

void unit_advance(struct unit *u, int64_t now_us);
void unit_press(struct unit *u, uint8_t side, int64_t at_us);
/* A paddle has closed at `at_us` and may turn out to be pressed: it holds the flag back until it is known. */
void unit_touch(struct unit *u, uint8_t side, bool touched, int64_t at_us);
void unit_button(struct unit *u, uint8_t side, uint8_t button, int64_t at_us);
void unit_both_held(struct unit *u, int64_t at_us);
void unit_supply(struct unit *u, uint16_t millivolts, int64_t now_us);
void unit_heard(struct unit *u, int64_t now_us);
void unit_acknowledge(struct unit *u, uint16_t number);

/* Both give 0 or an enum refusal; nothing is changed by what is refused. */
uint8_t unit_set_clock(struct unit *u, const struct set_clock *state, int64_t now_us);
uint8_t unit_command(struct unit *u, uint8_t code, const uint8_t *payload, int64_t now_us);

int64_t unit_remaining(const struct unit *u, uint8_t side, int64_t now_us);
void unit_snapshot(const struct unit *u, int64_t now_us, struct snapshot *out);
bool unit_lamp(const struct unit *u, uint8_t side);
bool unit_beeps(const struct unit *u, int64_t now_us);
uint16_t unit_oldest(const struct unit *u); /* the oldest event kept, 0 for none */
const struct event *unit_event(const struct unit *u, uint16_t number);
uint8_t event_payload(const struct event *event, uint8_t *payload); /* its size */

#endif
