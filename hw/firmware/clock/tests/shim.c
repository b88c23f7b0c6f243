/* The core behind plain functions, for stories told to it and to the Python reference unit at once. */
#include <stdlib.h>
#include <string.h>

#include "face.h"
#include "input.h"
#include "link.h"

struct shim {
    struct memory memory;
    struct unit unit;
    struct link link;
    struct input input;
};

struct shim *shim_new(void);
void shim_free(struct shim *s);
void shim_restart(struct shim *s, int64_t stopped_us, uint8_t cause);
void shim_link_is_up(struct shim *s, int64_t now_us);
void shim_link_heard(struct shim *s, int64_t now_us);
void shim_press(struct shim *s, uint8_t side, int64_t at_us);
void shim_button(struct shim *s, uint8_t side, uint8_t button, int64_t at_us);
void shim_both_held(struct shim *s, int64_t at_us);
void shim_supply(struct shim *s, uint16_t millivolts, int64_t now_us);
uint8_t shim_command(struct shim *s, const uint8_t *payload, int64_t now_us);
void shim_snapshot(struct shim *s, int64_t now_us, uint8_t *payload);
void shim_acknowledge(struct shim *s, uint16_t number);
uint16_t shim_oldest(struct shim *s);
uint8_t shim_event(struct shim *s, uint16_t number, uint8_t *payload);
void shim_face(struct shim *s, uint8_t side, int64_t now_us, uint8_t *digits);
void shim_receive(struct shim *s, const uint8_t *bytes, uint32_t count, int64_t now_us);
uint32_t shim_transmit(struct shim *s, int64_t now_us, uint8_t *bytes, uint32_t most);
uint16_t shim_garbled(struct shim *s);
void shim_edge(struct shim *s, uint8_t seat, uint8_t contact, bool closed, int64_t at_us);
void shim_run(struct shim *s, int64_t now_us);

struct shim *shim_new(void)
{
    struct shim *s = malloc(sizeof *s);
    memset(s, 0x5A, sizeof *s);
    shim_restart(s, 0, RESET_CAUSE_POWER);
    return s;
}

void shim_free(struct shim *s) { free(s); }

void shim_restart(struct shim *s, int64_t stopped_us, uint8_t cause)
{
    if (cause != RESET_CAUSE_POWER) { /* as the main loop does every millisecond */
        unit_advance(&s->unit, stopped_us);
        unit_alive(&s->unit, stopped_us);
    }
    unit_start(&s->unit, &s->memory, NULL, cause);
    link_start(&s->link, &s->unit, 0);
    input_start(&s->input, &s->unit);
}

void shim_link_is_up(struct shim *s, int64_t now_us)
{
    unit_heard(&s->unit, now_us);
    s->unit.supervised = false;
}

void shim_link_heard(struct shim *s, int64_t now_us) { unit_heard(&s->unit, now_us); }
void shim_press(struct shim *s, uint8_t side, int64_t at_us) { unit_press(&s->unit, side, at_us); }

void shim_button(struct shim *s, uint8_t side, uint8_t button, int64_t at_us)
{
    unit_button(&s->unit, side, button, at_us);
}

void shim_both_held(struct shim *s, int64_t at_us) { unit_both_held(&s->unit, at_us); }
void shim_supply(struct shim *s, uint16_t millivolts, int64_t now_us) { unit_supply(&s->unit, millivolts, now_us); }

uint8_t shim_command(struct shim *s, const uint8_t *payload, int64_t now_us)
{
    return unit_command(&s->unit, payload[1], payload, now_us);
}

void shim_snapshot(struct shim *s, int64_t now_us, uint8_t *payload)
{
    struct snapshot snapshot;
    unit_advance(&s->unit, now_us);
    unit_snapshot(&s->unit, now_us, &snapshot);
    memset(payload, 0, SNAPSHOT_SIZE);
    payload[0] = PROTOCOL_MAJOR;
    payload[1] = SNAPSHOT;
    protocol_write_snapshot(payload, &snapshot);
}

void shim_acknowledge(struct shim *s, uint16_t number) { unit_acknowledge(&s->unit, number); }
uint16_t shim_oldest(struct shim *s) { return unit_oldest(&s->unit); }

uint8_t shim_event(struct shim *s, uint16_t number, uint8_t *payload)
{
    const struct event *event = unit_event(&s->unit, number);
    return event ? event_payload(event, payload) : 0;
}

void shim_face(struct shim *s, uint8_t side, int64_t now_us, uint8_t *digits)
{
    unit_advance(&s->unit, now_us);
    face_show(&s->unit, side, input_word(&s->input, side), now_us, digits);
}

void shim_receive(struct shim *s, const uint8_t *bytes, uint32_t count, int64_t now_us)
{
    while (count--)
        link_byte(&s->link, *bytes++, now_us);
}

uint32_t shim_transmit(struct shim *s, int64_t now_us, uint8_t *bytes, uint32_t most)
{
    uint32_t count = 0;
    link_run(&s->link, now_us);
    while (count < most && link_take(&s->link, &bytes[count]))
        count++;
    return count;
}

uint16_t shim_garbled(struct shim *s) { return s->link.garbled; }

void shim_edge(struct shim *s, uint8_t seat, uint8_t contact, bool closed, int64_t at_us)
{
    input_edge(&s->input, seat, contact, closed, at_us);
}

void shim_run(struct shim *s, int64_t now_us)
{
    input_run(&s->input, now_us);
    unit_advance(&s->unit, now_us);
}
