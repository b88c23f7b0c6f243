/* Written from the message table (firmware_bridge/link/messages.py) by `make protocol`: do not edit.
 * A payload is version, code, number (u16), then the fields; everything is little-endian. */
#ifndef CROWNHEAD_PROTOCOL_H
#define CROWNHEAD_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0
#define PROTOCOL_HEADER_SIZE 4
#define PROTOCOL_MAX_PAYLOAD 48
#define EVENT_RING 32
#define LOST_AFTER_US 2500000L
#define DOUBLE_PRESS_US 30000L
#define DELAY_MAX_MS 3600000UL

enum side { SIDE_NONE, SIDE_RED, SIDE_WHITE };
enum word { WORD_TIME = 0, WORD_PAUSED = 1, WORD_RECOVERING = 2, WORD_LINE_LOST = 3, WORD_ADJUST = 4, WORD_REFUSED = 5, WORD_FLAG = 6, WORD_CROWN = 7, WORD_RESIGN = 8, WORD_DRAW = 9, WORD_CLAIM = 10, WORD_CALLED = 11 };
enum button { BUTTON_ADJUST = 1, BUTTON_CROWN = 2, BUTTON_REFEREE = 3, BUTTON_RESIGN = 4, BUTTON_DRAW = 5, BUTTON_CLAIM = 6 };
enum reset_cause { RESET_CAUSE_POWER = 1, RESET_CAUSE_PIN = 2, RESET_CAUSE_BROWN_OUT = 3, RESET_CAUSE_WATCHDOG = 4 };
enum refusal { REFUSAL_NO_HANDSHAKE = 1, REFUSAL_STALE = 2, REFUSAL_OUT_OF_RANGE = 3, REFUSAL_UNKNOWN = 4 };

/* The words of the displays, by enum word; the time has none. */
#define WORD_TEXTS { "", "PAUS", "rEC", "Ln", "Ad", "nO", "FLAG", "Cr", "rE", "dr", "CL", "CALL" }

static inline uint64_t protocol_get(const uint8_t *at, uint8_t size)
{
    uint64_t value = 0;
    while (size--)
        value = value << 8 | at[size];
    return value;
}

static inline void protocol_put(uint8_t *at, uint8_t size, uint64_t value)
{
    for (; size--; value >>= 8)
        *at++ = (uint8_t)value;
}

#define GREET 0x01
#define GREET_SIZE 6
#define GREET_FIELDS(F) F(major) F(minor)
struct greet {
    uint8_t major;
    uint8_t minor;
};

static inline bool protocol_read_greet(const uint8_t *payload, struct greet *out)
{
    out->major = (uint8_t)protocol_get(payload + 4, 1);
    out->minor = (uint8_t)protocol_get(payload + 5, 1);
    return true;
}

static inline void protocol_write_greet(uint8_t *payload, const struct greet *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->major);
    protocol_put(payload + 5, 1, (uint64_t)in->minor);
}

#define PING 0x02
#define PING_SIZE 10
#define PING_FIELDS(F) F(at_us)
struct ping {
    uint64_t at_us;
};

static inline bool protocol_read_ping(const uint8_t *payload, struct ping *out)
{
    out->at_us = (uint64_t)protocol_get(payload + 4, 6);
    return true;
}

static inline void protocol_write_ping(uint8_t *payload, const struct ping *in)
{
    protocol_put(payload + 4, 6, (uint64_t)in->at_us);
}

#define SEEN 0x03
#define SEEN_SIZE 4
#define SEEN_FIELDS(F)

#define SET_CLOCK 0x10
#define SET_CLOCK_SIZE 46
#define SET_CLOCK_FIELDS(F) F(as_of_us) F(red_us) F(white_us) F(running) F(free_us) F(red_moves) F(white_moves) F(flag) F(hold) F(hold_square) F(red_word) F(white_word) F(judged) F(every) F(add_ms) F(bonus_ms) F(delay_ms)
struct set_clock {
    uint64_t as_of_us;
    uint64_t red_us;
    uint64_t white_us;
    uint8_t running;
    uint32_t free_us;
    uint16_t red_moves;
    uint16_t white_moves;
    uint8_t flag;
    uint8_t hold;
    uint8_t hold_square;
    uint8_t red_word;
    uint8_t white_word;
    uint16_t judged;
    uint8_t every;
    uint32_t add_ms;
    uint32_t bonus_ms;
    uint32_t delay_ms;
};

static inline bool protocol_read_set_clock(const uint8_t *payload, struct set_clock *out)
{
    out->as_of_us = (uint64_t)protocol_get(payload + 4, 6);
    out->red_us = (uint64_t)protocol_get(payload + 10, 5);
    out->white_us = (uint64_t)protocol_get(payload + 15, 5);
    out->running = (uint8_t)protocol_get(payload + 20, 1);
    out->free_us = (uint32_t)protocol_get(payload + 21, 4);
    out->red_moves = (uint16_t)protocol_get(payload + 25, 2);
    out->white_moves = (uint16_t)protocol_get(payload + 27, 2);
    out->flag = (uint8_t)protocol_get(payload + 29, 1);
    out->hold = (uint8_t)protocol_get(payload + 30, 1);
    out->hold_square = (uint8_t)protocol_get(payload + 31, 1);
    out->red_word = (uint8_t)protocol_get(payload + 32, 1);
    out->white_word = (uint8_t)protocol_get(payload + 33, 1);
    out->judged = (uint16_t)protocol_get(payload + 34, 2);
    out->every = (uint8_t)protocol_get(payload + 36, 1);
    out->add_ms = (uint32_t)protocol_get(payload + 37, 3);
    out->bonus_ms = (uint32_t)protocol_get(payload + 40, 3);
    out->delay_ms = (uint32_t)protocol_get(payload + 43, 3);
    return payload[20] <= SIDE_WHITE && payload[29] <= SIDE_WHITE && payload[30] <= SIDE_WHITE && payload[32] <= 11 && payload[33] <= 11;
}

static inline void protocol_write_set_clock(uint8_t *payload, const struct set_clock *in)
{
    protocol_put(payload + 4, 6, (uint64_t)in->as_of_us);
    protocol_put(payload + 10, 5, (uint64_t)in->red_us);
    protocol_put(payload + 15, 5, (uint64_t)in->white_us);
    protocol_put(payload + 20, 1, (uint64_t)in->running);
    protocol_put(payload + 21, 4, (uint64_t)in->free_us);
    protocol_put(payload + 25, 2, (uint64_t)in->red_moves);
    protocol_put(payload + 27, 2, (uint64_t)in->white_moves);
    protocol_put(payload + 29, 1, (uint64_t)in->flag);
    protocol_put(payload + 30, 1, (uint64_t)in->hold);
    protocol_put(payload + 31, 1, (uint64_t)in->hold_square);
    protocol_put(payload + 32, 1, (uint64_t)in->red_word);
    protocol_put(payload + 33, 1, (uint64_t)in->white_word);
    protocol_put(payload + 34, 2, (uint64_t)in->judged);
    protocol_put(payload + 36, 1, (uint64_t)in->every);
    protocol_put(payload + 37, 3, (uint64_t)in->add_ms);
    protocol_put(payload + 40, 3, (uint64_t)in->bonus_ms);
    protocol_put(payload + 43, 3, (uint64_t)in->delay_ms);
}

#define CONFIGURE 0x11
#define CONFIGURE_SIZE 9
#define CONFIGURE_FIELDS(F) F(left) F(coarse_above_s) F(brightness) F(low_time_s)
struct configure {
    uint8_t left;
    uint16_t coarse_above_s;
    uint8_t brightness;
    uint8_t low_time_s;
};

static inline bool protocol_read_configure(const uint8_t *payload, struct configure *out)
{
    out->left = (uint8_t)protocol_get(payload + 4, 1);
    out->coarse_above_s = (uint16_t)protocol_get(payload + 5, 2);
    out->brightness = (uint8_t)protocol_get(payload + 7, 1);
    out->low_time_s = (uint8_t)protocol_get(payload + 8, 1);
    return payload[4] <= SIDE_WHITE && payload[4] != SIDE_NONE;
}

static inline void protocol_write_configure(uint8_t *payload, const struct configure *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->left);
    protocol_put(payload + 5, 2, (uint64_t)in->coarse_above_s);
    protocol_put(payload + 7, 1, (uint64_t)in->brightness);
    protocol_put(payload + 8, 1, (uint64_t)in->low_time_s);
}

#define IDENTIFY 0x12
#define IDENTIFY_SIZE 10
#define IDENTIFY_FIELDS(F) F(unit_id) F(calibration)
struct identify {
    uint32_t unit_id;
    int16_t calibration;
};

static inline bool protocol_read_identify(const uint8_t *payload, struct identify *out)
{
    out->unit_id = (uint32_t)protocol_get(payload + 4, 4);
    out->calibration = (int16_t)protocol_get(payload + 8, 2);
    return true;
}

static inline void protocol_write_identify(uint8_t *payload, const struct identify *in)
{
    protocol_put(payload + 4, 4, (uint64_t)in->unit_id);
    protocol_put(payload + 8, 2, (uint64_t)in->calibration);
}

#define LIGHT_TEST 0x13
#define LIGHT_TEST_SIZE 5
#define LIGHT_TEST_FIELDS(F) F(seconds)
struct light_test {
    uint8_t seconds;
};

static inline bool protocol_read_light_test(const uint8_t *payload, struct light_test *out)
{
    out->seconds = (uint8_t)protocol_get(payload + 4, 1);
    return true;
}

static inline void protocol_write_light_test(uint8_t *payload, const struct light_test *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->seconds);
}

#define HELLO 0x81
#define HELLO_SIZE 32
#define HELLO_FIELDS(F) F(major) F(minor) F(firmware) F(unit_id) F(capabilities) F(cause) F(boot_id) F(calibration) F(kept) F(oldest) F(newest) F(at_us)
struct hello {
    uint8_t major;
    uint8_t minor;
    uint32_t firmware;
    uint32_t unit_id;
    uint16_t capabilities;
    uint8_t cause;
    uint16_t boot_id;
    int16_t calibration;
    bool kept;
    uint16_t oldest;
    uint16_t newest;
    uint64_t at_us;
};

static inline bool protocol_read_hello(const uint8_t *payload, struct hello *out)
{
    out->major = (uint8_t)protocol_get(payload + 4, 1);
    out->minor = (uint8_t)protocol_get(payload + 5, 1);
    out->firmware = (uint32_t)protocol_get(payload + 6, 4);
    out->unit_id = (uint32_t)protocol_get(payload + 10, 4);
    out->capabilities = (uint16_t)protocol_get(payload + 14, 2);
    out->cause = (uint8_t)protocol_get(payload + 16, 1);
    out->boot_id = (uint16_t)protocol_get(payload + 17, 2);
    out->calibration = (int16_t)protocol_get(payload + 19, 2);
    out->kept = (bool)protocol_get(payload + 21, 1);
    out->oldest = (uint16_t)protocol_get(payload + 22, 2);
    out->newest = (uint16_t)protocol_get(payload + 24, 2);
    out->at_us = (uint64_t)protocol_get(payload + 26, 6);
    return payload[16] <= 4 && payload[16] >= 1 && payload[21] <= 1;
}

static inline void protocol_write_hello(uint8_t *payload, const struct hello *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->major);
    protocol_put(payload + 5, 1, (uint64_t)in->minor);
    protocol_put(payload + 6, 4, (uint64_t)in->firmware);
    protocol_put(payload + 10, 4, (uint64_t)in->unit_id);
    protocol_put(payload + 14, 2, (uint64_t)in->capabilities);
    protocol_put(payload + 16, 1, (uint64_t)in->cause);
    protocol_put(payload + 17, 2, (uint64_t)in->boot_id);
    protocol_put(payload + 19, 2, (uint64_t)in->calibration);
    protocol_put(payload + 21, 1, (uint64_t)in->kept);
    protocol_put(payload + 22, 2, (uint64_t)in->oldest);
    protocol_put(payload + 24, 2, (uint64_t)in->newest);
    protocol_put(payload + 26, 6, (uint64_t)in->at_us);
}

#define PONG 0x82
#define PONG_SIZE 10
#define PONG_FIELDS(F) F(at_us)
struct pong {
    uint64_t at_us;
};

static inline bool protocol_read_pong(const uint8_t *payload, struct pong *out)
{
    out->at_us = (uint64_t)protocol_get(payload + 4, 6);
    return true;
}

static inline void protocol_write_pong(uint8_t *payload, const struct pong *in)
{
    protocol_put(payload + 4, 6, (uint64_t)in->at_us);
}

#define DONE 0x83
#define DONE_SIZE 4
#define DONE_FIELDS(F)

#define REFUSED 0x84
#define REFUSED_SIZE 5
#define REFUSED_FIELDS(F) F(reason)
struct refused {
    uint8_t reason;
};

static inline bool protocol_read_refused(const uint8_t *payload, struct refused *out)
{
    out->reason = (uint8_t)protocol_get(payload + 4, 1);
    return payload[4] <= 4 && payload[4] >= 1;
}

static inline void protocol_write_refused(uint8_t *payload, const struct refused *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->reason);
}

#define PRESS 0x90
#define PRESS_SIZE 13
#define PRESS_FIELDS(F) F(side) F(at_us) F(refused) F(applied)
struct press {
    uint8_t side;
    uint64_t at_us;
    bool refused;
    bool applied;
};

static inline bool protocol_read_press(const uint8_t *payload, struct press *out)
{
    out->side = (uint8_t)protocol_get(payload + 4, 1);
    out->at_us = (uint64_t)protocol_get(payload + 5, 6);
    out->refused = (bool)protocol_get(payload + 11, 1);
    out->applied = (bool)protocol_get(payload + 12, 1);
    return payload[4] <= SIDE_WHITE && payload[4] != SIDE_NONE && payload[11] <= 1 && payload[12] <= 1;
}

static inline void protocol_write_press(uint8_t *payload, const struct press *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->side);
    protocol_put(payload + 5, 6, (uint64_t)in->at_us);
    protocol_put(payload + 11, 1, (uint64_t)in->refused);
    protocol_put(payload + 12, 1, (uint64_t)in->applied);
}

#define BUTTON_USED 0x91
#define BUTTON_USED_SIZE 12
#define BUTTON_USED_FIELDS(F) F(side) F(button) F(at_us)
struct button_used {
    uint8_t side;
    uint8_t button;
    uint64_t at_us;
};

static inline bool protocol_read_button_used(const uint8_t *payload, struct button_used *out)
{
    out->side = (uint8_t)protocol_get(payload + 4, 1);
    out->button = (uint8_t)protocol_get(payload + 5, 1);
    out->at_us = (uint64_t)protocol_get(payload + 6, 6);
    return payload[4] <= SIDE_WHITE && payload[4] != SIDE_NONE && payload[5] <= 6 && payload[5] >= 1;
}

static inline void protocol_write_button_used(uint8_t *payload, const struct button_used *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->side);
    protocol_put(payload + 5, 1, (uint64_t)in->button);
    protocol_put(payload + 6, 6, (uint64_t)in->at_us);
}

#define BOTH_HELD 0x92
#define BOTH_HELD_SIZE 10
#define BOTH_HELD_FIELDS(F) F(at_us)
struct both_held {
    uint64_t at_us;
};

static inline bool protocol_read_both_held(const uint8_t *payload, struct both_held *out)
{
    out->at_us = (uint64_t)protocol_get(payload + 4, 6);
    return true;
}

static inline void protocol_write_both_held(uint8_t *payload, const struct both_held *in)
{
    protocol_put(payload + 4, 6, (uint64_t)in->at_us);
}

#define FLAG_FELL 0x93
#define FLAG_FELL_SIZE 11
#define FLAG_FELL_FIELDS(F) F(side) F(at_us)
struct flag_fell {
    uint8_t side;
    uint64_t at_us;
};

static inline bool protocol_read_flag_fell(const uint8_t *payload, struct flag_fell *out)
{
    out->side = (uint8_t)protocol_get(payload + 4, 1);
    out->at_us = (uint64_t)protocol_get(payload + 5, 6);
    return payload[4] <= SIDE_WHITE && payload[4] != SIDE_NONE;
}

static inline void protocol_write_flag_fell(uint8_t *payload, const struct flag_fell *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->side);
    protocol_put(payload + 5, 6, (uint64_t)in->at_us);
}

#define STAGE_PASSED 0x94
#define STAGE_PASSED_SIZE 13
#define STAGE_PASSED_FIELDS(F) F(side) F(moves) F(at_us)
struct stage_passed {
    uint8_t side;
    uint16_t moves;
    uint64_t at_us;
};

static inline bool protocol_read_stage_passed(const uint8_t *payload, struct stage_passed *out)
{
    out->side = (uint8_t)protocol_get(payload + 4, 1);
    out->moves = (uint16_t)protocol_get(payload + 5, 2);
    out->at_us = (uint64_t)protocol_get(payload + 7, 6);
    return payload[4] <= SIDE_WHITE && payload[4] != SIDE_NONE;
}

static inline void protocol_write_stage_passed(uint8_t *payload, const struct stage_passed *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->side);
    protocol_put(payload + 5, 2, (uint64_t)in->moves);
    protocol_put(payload + 7, 6, (uint64_t)in->at_us);
}

#define BATTERY_LOW 0x95
#define BATTERY_LOW_SIZE 12
#define BATTERY_LOW_FIELDS(F) F(supply_mv) F(at_us)
struct battery_low {
    uint16_t supply_mv;
    uint64_t at_us;
};

static inline bool protocol_read_battery_low(const uint8_t *payload, struct battery_low *out)
{
    out->supply_mv = (uint16_t)protocol_get(payload + 4, 2);
    out->at_us = (uint64_t)protocol_get(payload + 6, 6);
    return true;
}

static inline void protocol_write_battery_low(uint8_t *payload, const struct battery_low *in)
{
    protocol_put(payload + 4, 2, (uint64_t)in->supply_mv);
    protocol_put(payload + 6, 6, (uint64_t)in->at_us);
}

#define RESTARTED 0x96
#define RESTARTED_SIZE 13
#define RESTARTED_FIELDS(F) F(cause) F(boot_id) F(at_us)
struct restarted {
    uint8_t cause;
    uint16_t boot_id;
    uint64_t at_us;
};

static inline bool protocol_read_restarted(const uint8_t *payload, struct restarted *out)
{
    out->cause = (uint8_t)protocol_get(payload + 4, 1);
    out->boot_id = (uint16_t)protocol_get(payload + 5, 2);
    out->at_us = (uint64_t)protocol_get(payload + 7, 6);
    return payload[4] <= 4 && payload[4] >= 1;
}

static inline void protocol_write_restarted(uint8_t *payload, const struct restarted *in)
{
    protocol_put(payload + 4, 1, (uint64_t)in->cause);
    protocol_put(payload + 5, 2, (uint64_t)in->boot_id);
    protocol_put(payload + 7, 6, (uint64_t)in->at_us);
}

#define SNAPSHOT 0xA0
#define SNAPSHOT_SIZE 41
#define SNAPSHOT_FIELDS(F) F(at_us) F(red_us) F(white_us) F(free_us) F(running) F(red_moves) F(white_moves) F(flag) F(hold) F(hold_square) F(alone) F(applied) F(newest) F(command) F(supply_mv)
struct snapshot {
    uint64_t at_us;
    uint64_t red_us;
    uint64_t white_us;
    uint32_t free_us;
    uint8_t running;
    uint16_t red_moves;
    uint16_t white_moves;
    uint8_t flag;
    uint8_t hold;
    uint8_t hold_square;
    bool alone;
    uint16_t applied;
    uint16_t newest;
    uint16_t command;
    uint16_t supply_mv;
};

static inline bool protocol_read_snapshot(const uint8_t *payload, struct snapshot *out)
{
    out->at_us = (uint64_t)protocol_get(payload + 4, 6);
    out->red_us = (uint64_t)protocol_get(payload + 10, 5);
    out->white_us = (uint64_t)protocol_get(payload + 15, 5);
    out->free_us = (uint32_t)protocol_get(payload + 20, 4);
    out->running = (uint8_t)protocol_get(payload + 24, 1);
    out->red_moves = (uint16_t)protocol_get(payload + 25, 2);
    out->white_moves = (uint16_t)protocol_get(payload + 27, 2);
    out->flag = (uint8_t)protocol_get(payload + 29, 1);
    out->hold = (uint8_t)protocol_get(payload + 30, 1);
    out->hold_square = (uint8_t)protocol_get(payload + 31, 1);
    out->alone = (bool)protocol_get(payload + 32, 1);
    out->applied = (uint16_t)protocol_get(payload + 33, 2);
    out->newest = (uint16_t)protocol_get(payload + 35, 2);
    out->command = (uint16_t)protocol_get(payload + 37, 2);
    out->supply_mv = (uint16_t)protocol_get(payload + 39, 2);
    return payload[24] <= SIDE_WHITE && payload[29] <= SIDE_WHITE && payload[30] <= SIDE_WHITE && payload[32] <= 1;
}

static inline void protocol_write_snapshot(uint8_t *payload, const struct snapshot *in)
{
    protocol_put(payload + 4, 6, (uint64_t)in->at_us);
    protocol_put(payload + 10, 5, (uint64_t)in->red_us);
    protocol_put(payload + 15, 5, (uint64_t)in->white_us);
    protocol_put(payload + 20, 4, (uint64_t)in->free_us);
    protocol_put(payload + 24, 1, (uint64_t)in->running);
    protocol_put(payload + 25, 2, (uint64_t)in->red_moves);
    protocol_put(payload + 27, 2, (uint64_t)in->white_moves);
    protocol_put(payload + 29, 1, (uint64_t)in->flag);
    protocol_put(payload + 30, 1, (uint64_t)in->hold);
    protocol_put(payload + 31, 1, (uint64_t)in->hold_square);
    protocol_put(payload + 32, 1, (uint64_t)in->alone);
    protocol_put(payload + 33, 2, (uint64_t)in->applied);
    protocol_put(payload + 35, 2, (uint64_t)in->newest);
    protocol_put(payload + 37, 2, (uint64_t)in->command);
    protocol_put(payload + 39, 2, (uint64_t)in->supply_mv);
}

#define PROTOCOL_MESSAGES(M) \
    M(GREET, greet) \
    M(PING, ping) \
    M(SEEN, seen) \
    M(SET_CLOCK, set_clock) \
    M(CONFIGURE, configure) \
    M(IDENTIFY, identify) \
    M(LIGHT_TEST, light_test) \
    M(HELLO, hello) \
    M(PONG, pong) \
    M(DONE, done) \
    M(REFUSED, refused) \
    M(PRESS, press) \
    M(BUTTON_USED, button_used) \
    M(BOTH_HELD, both_held) \
    M(FLAG_FELL, flag_fell) \
    M(STAGE_PASSED, stage_passed) \
    M(BATTERY_LOW, battery_low) \
    M(RESTARTED, restarted) \
    M(SNAPSHOT, snapshot)

#endif
