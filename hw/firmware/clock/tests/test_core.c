/* The core's own tests. `test_core VECTORS` reads the golden vectors that the Python tests read as well. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "face.h"
#include "input.h"
#include "link.h"
#include "store.h"

#define S INT64_C(1000000)
#define MS 1000
#define HOUR (3600 * S)

static struct memory memory;
static struct unit unit;
static struct input input;

static void fresh(void)
{
    memset(&memory, 0, sizeof memory);
    unit_start(&unit, &memory, NULL, RESET_CAUSE_POWER);
    unit_heard(&unit, 0);
    unit.supervised = false;
    input_start(&input, &unit);
}

static void order(int64_t at, int64_t red, int64_t white, uint8_t running, uint8_t every, uint32_t add_ms)
{
    struct set_clock state = {
        .as_of_us = (uint64_t)at,
        .red_us = (uint64_t)red,
        .white_us = (uint64_t)white,
        .running = running,
        .judged = unit.kept.newest,
        .every = every,
        .add_ms = add_ms,
    };
    assert(unit_set_clock(&unit, &state, at) == 0);
}

static const struct event *last(void) { return unit_event(&unit, unit.kept.newest); }

/* Golden vectors ----------------------------------------------------------------------------------- */

static uint8_t from_hex(const char *text, uint8_t *bytes)
{
    uint8_t count = 0;
    for (unsigned byte; sscanf(text, "%2x", &byte) == 1; text += 2)
        bytes[count++] = (uint8_t)byte;
    return count;
}

#define NEXT_IS(field) assert((uint64_t)in.field == (uint64_t)strtoll(strtok(NULL, " \n"), NULL, 10));
#define BODY(NAME, name) \
    case NAME: { \
        CHECK_##NAME(name) \
        return NAME##_SIZE; \
    }
#define CHECK(NAME, name) \
    struct name in; \
    assert(protocol_read_##name(payload, &in)); \
    NAME##_FIELDS(NEXT_IS) protocol_write_##name(again, &in);
#define CHECK_GREET(name) CHECK(GREET, name)
#define CHECK_PING(name) CHECK(PING, name)
#define CHECK_SEEN(name)
#define CHECK_SET_CLOCK(name) CHECK(SET_CLOCK, name)
#define CHECK_CONFIGURE(name) CHECK(CONFIGURE, name)
#define CHECK_IDENTIFY(name) CHECK(IDENTIFY, name)
#define CHECK_LIGHT_TEST(name) CHECK(LIGHT_TEST, name)
#define CHECK_HELLO(name) CHECK(HELLO, name)
#define CHECK_PONG(name) CHECK(PONG, name)
#define CHECK_DONE(name)
#define CHECK_REFUSED(name) CHECK(REFUSED, name)
#define CHECK_PRESS(name) CHECK(PRESS, name)
#define CHECK_BUTTON_USED(name) CHECK(BUTTON_USED, name)
#define CHECK_BOTH_HELD(name) CHECK(BOTH_HELD, name)
#define CHECK_FLAG_FELL(name) CHECK(FLAG_FELL, name)
#define CHECK_STAGE_PASSED(name) CHECK(STAGE_PASSED, name)
#define CHECK_BATTERY_LOW(name) CHECK(BATTERY_LOW, name)
#define CHECK_RESTARTED(name) CHECK(RESTARTED, name)
#define CHECK_SNAPSHOT(name) CHECK(SNAPSHOT, name)

/* Reads the rest of the line's numbers against the fields, writes them again; gives the size. */
static uint8_t check_fields(const uint8_t *payload, uint8_t *again)
{
    memcpy(again, payload, PROTOCOL_HEADER_SIZE);
    switch (payload[1]) {
        PROTOCOL_MESSAGES(BODY)
    }
    assert(!"a message that the table does not have");
    return 0;
}

static void test_vectors(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "cannot read %s: run this from hw/firmware/clock\n", path);
        exit(1);
    }
    char text[512];
    int count = 0;
    while (fgets(text, sizeof text, file)) {
        if (text[0] == '#')
            continue;
        uint8_t frame[128], payload[128], again[64], rebuilt[FRAME_MAX + 1];
        uint8_t size = from_hex(strtok(text, " "), frame);
        strtok(NULL, " "); /* the name is for people */
        uint16_t number = (uint16_t)strtol(strtok(NULL, " \n"), NULL, 10);
        memcpy(payload, frame, size);
        uint8_t length = frame_read(payload, size - 1);
        assert(length && protocol_get(payload + 2, 2) == number);
        assert(check_fields(payload, again) == length);
        assert(memcmp(payload, again, length) == 0);
        assert(frame_write(again, length, rebuilt) == size);
        assert(memcmp(rebuilt, frame, size) == 0);
        count++;
    }
    fclose(file);
    assert(count > 25);
}

static void test_damaged_frames(void)
{
    uint8_t payload[PROTOCOL_MAX_PAYLOAD], frame[FRAME_MAX + 1];
    for (uint8_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i % 5);
    uint8_t size = frame_write(payload, sizeof payload, frame);
    for (int at = 0; at < size - 1; at++)
        for (int flip = 1; flip < 256; flip++) {
            uint8_t damaged[FRAME_MAX + 1];
            memcpy(damaged, frame, size);
            damaged[at] ^= (uint8_t)flip;
            uint8_t length = frame_read(damaged, size - 1);
            assert(length == 0 || length != sizeof payload);
        }
    assert(crc16(0xFFFF, (const uint8_t *)"123456789", 9) == 0x29B1);
}

/* Time --------------------------------------------------------------------------------------------- */

static void test_the_hour_is_added_alone_at_each_thirtieth_move(void)
{
    fresh();
    order(0, HOUR, HOUR, SIDE_RED, 30, 3600000);
    unit.supervised = true;
    int64_t now = 3 * S;
    uint8_t side = SIDE_RED;
    for (int ply = 0; ply < 130; ply++) {
        now += 10 * S;
        unit_press(&unit, side, now);
        side = side == SIDE_RED ? SIDE_WHITE : SIDE_RED;
    }
    assert(unit.kept.moves[0] == 65 && unit.kept.moves[1] == 65);
    assert(unit_remaining(&unit, SIDE_RED, now) == 3 * HOUR - 653 * S);
    assert(unit_remaining(&unit, SIDE_WHITE, now) == 3 * HOUR - 650 * S);
}

static void test_ten_thousand_presses_lose_no_microsecond(void)
{
    fresh();
    order(0, 90 * HOUR, 90 * HOUR, SIDE_RED, 0, 0);
    unit.supervised = true;
    int64_t now = 3 * S;
    for (int i = 0; i < 10000; i++) {
        now += 31000 + i % 977;
        unit_press(&unit, i % 2 ? SIDE_WHITE : SIDE_RED, now);
    }
    assert(unit_remaining(&unit, SIDE_RED, now) + unit_remaining(&unit, SIDE_WHITE, now) + now == 180 * HOUR);
}

static void test_the_flag_is_latched_once_with_its_time(void)
{
    fresh();
    order(0, 10 * S, 20 * S, SIDE_RED, 0, 0);
    unit_advance(&unit, 60 * S);
    assert(last()->code == FLAG_FELL && last()->side == SIDE_RED && protocol_get(last()->at, 6) == 10 * S);
    uint16_t newest = unit.kept.newest;
    unit_advance(&unit, 90 * S);
    assert(unit.kept.newest == newest && unit.kept.flag == SIDE_RED);
}

static void test_a_press_that_came_before_the_flag_holds_it_back(void)
{
    fresh();
    order(0, 10 * S, 20 * S, SIDE_RED, 0, 0);
    input_edge(&input, SEAT_LEFT, PADDLE, true, 10 * S - 500);
    for (int64_t now = 10 * S - 400; now < 10 * S + 5 * MS; now += MS) {
        input_run(&input, now);
        unit_advance(&unit, now);
        assert(unit.kept.flag == SIDE_NONE);
    }
    assert(last()->code == PRESS && protocol_get(last()->at, 6) == 10 * S - 500);
}

/* Restart ------------------------------------------------------------------------------------------ */

static void test_a_restart_keeps_times_and_events_and_stands_stopped(void)
{
    fresh();
    order(0, HOUR, HOUR, SIDE_RED, 0, 0);
    unit_press(&unit, SIDE_RED, 5 * S);
    uint16_t press = unit.kept.newest;
    unit_alive(&unit, 7 * S);
    memset(&unit, 0x77, sizeof unit);
    unit_start(&unit, &memory, NULL, RESET_CAUSE_WATCHDOG);
    assert(unit.survived && unit.kept.running == SIDE_NONE);
    assert(unit_remaining(&unit, SIDE_RED, 50 * S) == HOUR - 7 * S);
    assert(unit_event(&unit, press)->code == PRESS && last()->code == RESTARTED);
    assert(unit_oldest(&unit) == 1);
}

static void test_damaged_memory_is_noticed(void)
{
    for (size_t at = 0; at < sizeof memory.copy; at++) {
        fresh();
        order(0, HOUR, HOUR / 2, SIDE_RED, 0, 0);
        unit_alive(&unit, S);
        ((uint8_t *)memory.copy)[at] ^= 0x10;
        unit_start(&unit, &memory, NULL, RESET_CAUSE_PIN);
        assert(unit.survived); /* the other copy is whole; it may be the one before */
        int64_t red = unit_remaining(&unit, SIDE_RED, 0);
        assert(red == HOUR - S || red == 0);
    }
    fresh();
    order(0, HOUR, HOUR, SIDE_RED, 0, 0);
    for (uint8_t i = 0; i < 5; i++)
        unit_press(&unit, SIDE_WHITE, S + i);
    memory.ring[3].data ^= 1;
    unit_start(&unit, &memory, NULL, RESET_CAUSE_PIN);
    assert(unit_oldest(&unit) == 4);
}

static uint8_t eeprom[STORE_SIZE];
static uint8_t read_eeprom(uint16_t at) { return eeprom[at]; }

static void run_store(struct store *store, int64_t now)
{
    uint16_t at;
    uint8_t byte;
    store_run(store, &unit, now);
    while (store_next(store, &at, &byte)) {
        assert(at < STORE_SIZE);
        eeprom[at] = byte;
    }
}

static void test_the_eeprom_ring_brings_the_last_state_back_with_few_writes(void)
{
    struct store store;
    struct kept state;
    struct identify identity;
    memset(eeprom, 0xFF, sizeof eeprom);
    fresh();
    assert(!store_start(&store, read_eeprom, &state, &identity));
    order(0, HOUR, HOUR, SIDE_RED, 30, 3600000);
    uint16_t before = store.serial;
    for (int64_t now = 0; now < 1000 * S; now += MS * 10)
        run_store(&store, now);
    assert(store.serial - before <= 1000 / 20 + 1);
    order(1000 * S, HOUR - 1000 * S, HOUR, SIDE_NONE, 30, 3600000);
    run_store(&store, 1003 * S);
    uint16_t stopped = store.serial;
    for (int64_t now = 1003 * S; now < 2000 * S; now += S)
        run_store(&store, now);
    assert(store.serial == stopped);
    unit.identity.unit_id = 77;
    unit.identity.calibration = -31;
    unit.identity_changed = true;
    run_store(&store, 2000 * S);
    assert(store_start(&store, read_eeprom, &state, &identity));
    assert(identity.unit_id == 77 && identity.calibration == -31);
    memset(&memory, 0xA5, sizeof memory);
    unit_start(&unit, &memory, &state, RESET_CAUSE_POWER);
    assert(!unit.survived && unit_remaining(&unit, SIDE_RED, 0) == HOUR - 1000 * S);
    assert(unit.kept.every == 30 && unit.kept.boot_id == 2);
}

static void test_any_bytes_leave_the_unit_standing(void)
{
    struct link link;
    uint32_t dice = 1;
    uint8_t byte;
    fresh();
    link_start(&link, &unit, 0);
    for (int64_t i = 0; i < 400000; i++) {
        dice = dice * 1664525 + 1013904223;
        if (dice % 97 == 0) { /* a good frame of any code, number and fields */
            uint8_t payload[PROTOCOL_MAX_PAYLOAD], frame[FRAME_MAX + 1];
            for (uint8_t at = 0; at < sizeof payload; at++)
                payload[at] = (uint8_t)((dice = dice * 1664525 + 1013904223) >> 24);
            payload[0] = PROTOCOL_MAJOR;
            payload[1] &= 0x13;
            if (dice >> 31)
                protocol_put(payload + 2, 2, number_after(unit.last_command));
            uint8_t size = frame_write(payload, (uint8_t)(4 + (dice >> 8) % 45), frame);
            for (uint8_t at = 0; at < size; at++)
                link_byte(&link, frame[at], i * 100);
        }
        link_byte(&link, (uint8_t)(dice >> 16), i * 100);
        link_run(&link, i * 100);
        while (link_take(&link, &byte))
            continue;
    }
    assert(link.garbled > 1000);
}

/* Contacts ----------------------------------------------------------------------------------------- */

static void run_to(int64_t *now, int64_t until)
{
    for (; *now < until; *now += MS)
        input_run(&input, *now);
}

static void test_a_press_is_stamped_at_the_first_edge_that_holds(void)
{
    int64_t now = S;
    fresh();
    const int64_t edges[] = { 0, 300, 700, 900, 1500, 1800, 2000 }; /* closed, open, closed ... closed for good */
    for (uint8_t i = 0; i < 7; i++)
        input_edge(&input, SEAT_LEFT, PADDLE, i % 2 == 0, now + edges[i]);
    run_to(&now, 2 * S);
    assert(last()->code == PRESS && protocol_get(last()->at, 6) == S + 2000);
    uint16_t newest = unit.kept.newest;
    input_edge(&input, SEAT_LEFT, PADDLE, false, 2 * S);
    input_edge(&input, SEAT_LEFT, PADDLE, true, 2 * S + 1200); /* a blink while held is no press */
    run_to(&now, 3 * S);
    assert(unit.kept.newest == newest);
}

static void test_a_press_within_the_lockout_waits_and_keeps_its_stamp(void)
{
    int64_t now = S;
    fresh();
    input_edge(&input, SEAT_LEFT, PADDLE, true, now);
    run_to(&now, now + 40 * MS);
    input_edge(&input, SEAT_LEFT, PADDLE, false, now);
    int64_t again = now + 10 * MS;
    run_to(&now, again);
    input_edge(&input, SEAT_LEFT, PADDLE, true, again);
    run_to(&now, now + 100 * MS);
    assert(unit.kept.newest == 2 || protocol_get(last()->at, 6) == (uint64_t)again);
}

static void test_a_contact_closed_at_the_start_is_no_press(void)
{
    int64_t now = 0;
    fresh();
    input_at_start(&input, SEAT_LEFT, PADDLE, true);
    input_at_start(&input, SEAT_RIGHT, SECOND_BUTTON, true);
    run_to(&now, 3 * S);
    input_edge(&input, SEAT_LEFT, PADDLE, false, now);
    input_edge(&input, SEAT_RIGHT, SECOND_BUTTON, false, now);
    run_to(&now, 4 * S);
    assert(unit.kept.newest == 1 && input_word(&input, SIDE_WHITE) == WORD_TIME);
}

static void tap(uint8_t seat, uint8_t contact, int64_t *now, int64_t held)
{
    input_edge(&input, seat, contact, true, *now);
    run_to(now, *now + held);
    input_edge(&input, seat, contact, false, *now);
    run_to(now, *now + 100 * MS);
}

static void test_buttons_mean_what_they_are_held_for(void)
{
    int64_t now = S;
    fresh();
    tap(SEAT_LEFT, FIRST_BUTTON, &now, 200 * MS);
    assert(last()->code == BUTTON_USED && last()->side == SIDE_RED && last()->detail == BUTTON_ADJUST);
    tap(SEAT_RIGHT, FIRST_BUTTON, &now, 1500 * MS);
    assert(last()->side == SIDE_WHITE && last()->detail == BUTTON_CROWN);
    tap(SEAT_RIGHT, SECOND_BUTTON, &now, 200 * MS);
    assert(last()->side == SIDE_WHITE && last()->detail == BUTTON_REFEREE);
    assert(unit.kept.newest == 4);
}

static void test_the_menu_steps_and_the_own_paddle_confirms(void)
{
    int64_t now = S;
    fresh();
    tap(SEAT_LEFT, SECOND_BUTTON, &now, 2100 * MS);
    assert(input_word(&input, SIDE_RED) == WORD_RESIGN && unit.kept.newest == 1);
    tap(SEAT_LEFT, SECOND_BUTTON, &now, 100 * MS);
    tap(SEAT_LEFT, SECOND_BUTTON, &now, 100 * MS);
    assert(input_word(&input, SIDE_RED) == WORD_CLAIM);
    tap(SEAT_LEFT, PADDLE, &now, 100 * MS);
    assert(last()->code == BUTTON_USED && last()->detail == BUTTON_CLAIM && unit.kept.newest == 2);
    assert(input_word(&input, SIDE_RED) == WORD_TIME);
    tap(SEAT_LEFT, SECOND_BUTTON, &now, 2100 * MS);
    run_to(&now, now + 11 * S);
    tap(SEAT_LEFT, PADDLE, &now, 100 * MS);
    assert(last()->code == PRESS);
}

static void offer_draw(int64_t *now)
{
    tap(SEAT_LEFT, SECOND_BUTTON, now, 2100 * MS);
    tap(SEAT_LEFT, SECOND_BUTTON, now, 100 * MS);
    tap(SEAT_LEFT, PADDLE, now, 100 * MS);
    assert(last()->side == SIDE_RED && last()->detail == BUTTON_DRAW);
}

static void test_a_draw_is_accepted_by_holding_and_lapses_with_a_move(void)
{
    int64_t now = S;
    fresh();
    offer_draw(&now);
    assert(input_word(&input, SIDE_WHITE) == WORD_DRAW);
    tap(SEAT_RIGHT, PADDLE, &now, 200 * MS); /* a short press is a press */
    assert(last()->code == PRESS && input_word(&input, SIDE_WHITE) == WORD_DRAW);
    tap(SEAT_RIGHT, PADDLE, &now, 1200 * MS);
    assert(last()->code == BUTTON_USED && last()->side == SIDE_WHITE && last()->detail == BUTTON_DRAW);
    fresh();
    now = S;
    offer_draw(&now);
    unit.kept.moves[1]++;
    input_run(&input, now);
    assert(input_word(&input, SIDE_WHITE) == WORD_TIME);
}

static void test_both_paddles_held_sign(void)
{
    int64_t now = S;
    fresh();
    input_edge(&input, SEAT_LEFT, PADDLE, true, now);
    run_to(&now, now + 500 * MS);
    input_edge(&input, SEAT_RIGHT, PADDLE, true, now);
    run_to(&now, now + 1900 * MS);
    assert(last()->code == PRESS);
    run_to(&now, now + 5 * S);
    assert(last()->code == BOTH_HELD && unit.kept.newest == 4);
}

static void test_the_right_side_can_be_red(void)
{
    int64_t now = S;
    fresh();
    unit.setup.left = SIDE_WHITE;
    tap(SEAT_RIGHT, PADDLE, &now, 100 * MS);
    assert(last()->code == PRESS && last()->side == SIDE_RED);
}

int main(int count, char **arguments)
{
    test_vectors(count > 1 ? arguments[1] : "../../../tests/data/link_vectors.txt");
    test_damaged_frames();
    test_the_hour_is_added_alone_at_each_thirtieth_move();
    test_ten_thousand_presses_lose_no_microsecond();
    test_the_flag_is_latched_once_with_its_time();
    test_a_press_that_came_before_the_flag_holds_it_back();
    test_a_restart_keeps_times_and_events_and_stands_stopped();
    test_damaged_memory_is_noticed();
    test_the_eeprom_ring_brings_the_last_state_back_with_few_writes();
    test_any_bytes_leave_the_unit_standing();
    test_a_press_is_stamped_at_the_first_edge_that_holds();
    test_a_press_within_the_lockout_waits_and_keeps_its_stamp();
    test_a_contact_closed_at_the_start_is_no_press();
    test_buttons_mean_what_they_are_held_for();
    test_the_menu_steps_and_the_own_paddle_confirms();
    test_a_draw_is_accepted_by_holding_and_lapses_with_a_move();
    test_both_paddles_held_sign();
    test_the_right_side_can_be_red();
    puts("the core holds");
    return 0;
}
