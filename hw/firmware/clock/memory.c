#include "memory.h"

#include <stddef.h>
#include <string.h>

uint16_t crc16(uint16_t crc, const uint8_t *data, uint16_t size)
{
    while (size--) { /* polynomial 0x1021 a byte at a time, without a table */
        crc = (uint16_t)(crc >> 8 | crc << 8) ^ *data++;
        crc ^= (crc & 0xFF) >> 4;
        crc ^= (uint16_t)(crc << 12);
        crc ^= (uint16_t)((crc & 0xFF) << 5);
    }
    return crc;
}

uint16_t number_after(uint16_t number) { return number == 0xFFFF ? 1 : number + 1; }

bool number_newer(uint16_t number, uint16_t other_number)
{
    if (number == 0 || other_number == 0)
        return number != 0;
    uint16_t ahead = number - other_number;
    if (number < other_number)
        ahead--; /* 0 is left out when numbers go round */
    return ahead != 0 && ahead < 0x7FFF;
}

static uint16_t copy_crc(const struct memory *memory, uint8_t copy)
{
    uint16_t size = (uint16_t)offsetof(__typeof__(memory->copy[0]), crc);
    return crc16(0xFFFF, (const uint8_t *)&memory->copy[copy], size);
}

void unit_save(struct unit *u)
{
    u->copy ^= 1;
    u->memory->copy[u->copy].kept = u->kept;
    u->memory->copy[u->copy].serial = ++u->serial;
    u->memory->copy[u->copy].crc = copy_crc(u->memory, u->copy);
}

static uint8_t event_check(const struct event *event)
{
    return (uint8_t)crc16(0xFFFF, (const uint8_t *)event, offsetof(struct event, check));
}

/* Whether memory came through a restart; if so the newest whole copy is taken over. */
bool unit_recall(struct unit *u)
{
    const struct memory *memory = u->memory;
    bool found = false;
    for (uint8_t i = 0; i < 2; i++) {
        if (memory->copy[i].crc != copy_crc(memory, i))
            continue;
        if (found && (int16_t)(memory->copy[i].serial - u->serial) < 0)
            continue;
        found = true;
        u->copy = i;
        u->serial = memory->copy[i].serial;
        u->kept = memory->copy[i].kept;
    }
    return found && memory->alive_check == ~memory->alive_us;
}

/* Drops what was not written whole: events must follow one another without a gap. */
void unit_check_ring(struct unit *u)
{
    uint16_t number = u->kept.newest;
    while (number != u->kept.acknowledged && unit_event(u, number))
        number = number == 1 ? 0xFFFF : number - 1;
    u->kept.acknowledged = number;
}

uint16_t unit_report(struct unit *u, uint8_t code, uint8_t side, uint8_t detail, uint16_t data, int64_t at_us)
{
    uint16_t number = number_after(u->kept.newest);
    struct event *event = &u->memory->ring[number % EVENT_RING];
    memset(event, 0, sizeof *event);
    event->number = number;
    event->code = code;
    event->side = side;
    event->detail = detail;
    event->data = data;
    protocol_put(event->at, sizeof event->at, (uint64_t)at_us);
    event->check = event_check(event);
    u->kept.newest = number;
    unit_save(u);
    return number;
}

const struct event *unit_event(const struct unit *u, uint16_t number)
{
    const struct event *event = &u->memory->ring[number % EVENT_RING];
    return number != 0 && event->number == number && event->check == event_check(event) ? event : NULL;
}

uint16_t unit_oldest(const struct unit *u)
{
    if (u->kept.newest == u->kept.acknowledged)
        return 0;
    uint16_t number = number_after(u->kept.acknowledged);
    while (!unit_event(u, number) && number != u->kept.newest) /* overrun: the oldest have given way */
        number = number_after(number);
    return number;
}

void unit_acknowledge(struct unit *u, uint16_t number)
{
    if (number_newer(number, u->kept.newest) || !number_newer(number, u->kept.acknowledged))
        return;
    u->kept.acknowledged = number;
    unit_save(u);
}

void unit_alive(struct unit *u, int64_t now_us)
{
    u->memory->alive_us = now_us;
    u->memory->alive_check = ~now_us;
}

uint8_t event_payload(const struct event *event, uint8_t *payload)
{
    uint64_t at_us = protocol_get(event->at, sizeof event->at);
    protocol_put(payload + 2, 2, event->number);
    payload[0] = PROTOCOL_MAJOR;
    payload[1] = event->code;
    switch (event->code) {
    case PRESS: {
        struct press press = { event->side, at_us, event->detail == PRESS_REFUSED, event->detail == PRESS_APPLIED };
        protocol_write_press(payload, &press);
        return PRESS_SIZE;
    }
    case BUTTON_USED: {
        struct button_used used = { event->side, event->detail, at_us };
        protocol_write_button_used(payload, &used);
        return BUTTON_USED_SIZE;
    }
    case FLAG_FELL: {
        struct flag_fell flag = { event->side, at_us };
        protocol_write_flag_fell(payload, &flag);
        return FLAG_FELL_SIZE;
    }
    case STAGE_PASSED: {
        struct stage_passed stage = { event->side, event->data, at_us };
        protocol_write_stage_passed(payload, &stage);
        return STAGE_PASSED_SIZE;
    }
    case BATTERY_LOW: {
        struct battery_low battery = { event->data, at_us };
        protocol_write_battery_low(payload, &battery);
        return BATTERY_LOW_SIZE;
    }
    case RESTARTED: {
        struct restarted restarted = { event->detail, event->data, at_us };
        protocol_write_restarted(payload, &restarted);
        return RESTARTED_SIZE;
    }
    default: {
        struct both_held held = { at_us };
        protocol_write_both_held(payload, &held);
        return BOTH_HELD_SIZE;
    }
    }
}
