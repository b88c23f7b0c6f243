#include "link.h"

#include <string.h>

#define SNAPSHOT_US 500000
#define RESEND_US 60000
#define WINDOW 4

/* Frames ------------------------------------------------------------------------------------------- */

uint8_t frame_write(const uint8_t *payload, uint8_t size, uint8_t *out)
{
    uint16_t crc = crc16(0xFFFF, payload, size);
    uint8_t code_at = 0, at = 1;
    for (uint8_t i = 0; i < size + 2; i++) {
        uint8_t byte = i < size ? payload[i] : i == size ? (uint8_t)crc : (uint8_t)(crc >> 8);
        if (byte == 0) {
            out[code_at] = at - code_at;
            code_at = at++;
        } else {
            out[at++] = byte;
        }
    }
    out[code_at] = at - code_at;
    out[at++] = 0;
    return at;
}

uint8_t frame_read(uint8_t *stuffed, uint8_t count)
{
    uint8_t at = 0, size = 0;
    while (at < count) {
        uint16_t end = at + stuffed[at];
        if (end == at || end > count)
            return 0;
        while (++at < end)
            stuffed[size++] = stuffed[at];
        if (at < count)
            stuffed[size++] = 0;
    }
    if (size <= 2)
        return 0;
    size -= 2;
    return crc16(0xFFFF, stuffed, size) == protocol_get(stuffed + size, 2) ? size : 0;
}

/* Saying ------------------------------------------------------------------------------------------- */

static uint8_t room(const struct link *l) { return OUT_SIZE - 1 - ((l->out_in - l->out_out) & (OUT_SIZE - 1)); }

bool link_take(struct link *l, uint8_t *byte)
{
    if (l->out_in == l->out_out)
        return false;
    *byte = l->out[l->out_out];
    l->out_out = (l->out_out + 1) & (OUT_SIZE - 1);
    return true;
}

OWN_FRAME static bool say(struct link *l, uint8_t code, uint16_t number, uint8_t *payload, uint8_t size)
{
    uint8_t frame[FRAME_MAX + 1];
    payload[0] = PROTOCOL_MAJOR;
    payload[1] = code;
    protocol_put(payload + 2, 2, number);
    uint8_t count = frame_write(payload, size, frame);
    if (count > room(l))
        return false;
    for (uint8_t i = 0; i < count; i++) {
        l->out[l->out_in] = frame[i];
        l->out_in = (l->out_in + 1) & (OUT_SIZE - 1);
    }
    return true;
}

OWN_FRAME static void say_hello(struct link *l, uint16_t number, int64_t now_us)
{
    const struct unit *u = l->unit;
    uint8_t payload[HELLO_SIZE];
    struct hello hello = {
        .major = PROTOCOL_MAJOR,
        .minor = PROTOCOL_MINOR,
        .firmware = FIRMWARE_VERSION,
        .unit_id = u->identity.unit_id,
        .capabilities = 0,
        .cause = u->cause,
        .boot_id = u->kept.boot_id,
        .calibration = u->identity.calibration,
        .kept = u->survived,
        .oldest = unit_oldest(u),
        .newest = u->kept.newest,
        .at_us = (uint64_t)now_us,
    };
    protocol_write_hello(payload, &hello);
    say(l, HELLO, number, payload, HELLO_SIZE);
}

OWN_FRAME static void say_answer(struct link *l, uint16_t number, uint8_t refusal)
{
    uint8_t payload[REFUSED_SIZE];
    payload[PROTOCOL_HEADER_SIZE] = refusal;
    if (refusal)
        say(l, REFUSED, number, payload, REFUSED_SIZE);
    else
        say(l, DONE, number, payload, DONE_SIZE);
}

OWN_FRAME static void say_events(struct link *l, int64_t now_us)
{
    const struct unit *u = l->unit;
    uint16_t number = unit_oldest(u);
    if (!l->greeted || u->alone || number == 0)
        return;
    if (now_us >= l->resend_due_us)
        l->sent = 0;
    for (uint8_t i = 0; i < WINDOW && !number_newer(number, u->kept.newest); i++) {
        const struct event *event = unit_event(u, number);
        uint8_t payload[PROTOCOL_MAX_PAYLOAD];
        if (event && number_newer(number, l->sent)) {
            uint8_t size = event_payload(event, payload);
            if (!say(l, event->code, number, payload, size))
                return;
            l->sent = number;
            l->resend_due_us = now_us + RESEND_US;
        }
        number = number_after(number);
    }
}

/* Hearing ------------------------------------------------------------------------------------------ */

static uint8_t size_of(uint8_t code)
{
    switch (code) {
#define SIZE(NAME, name) \
    case NAME: \
        return NAME##_SIZE;
        PROTOCOL_MESSAGES(SIZE)
#undef SIZE
    }
    return 0;
}

static void carry_out(struct link *l, uint16_t number, const uint8_t *payload, int64_t now_us)
{
    struct unit *u = l->unit;
    if (!l->greeted) {
        say_answer(l, number, REFUSAL_NO_HANDSHAKE);
        return;
    }
    if (number == number_after(u->last_command)) {
        u->last_command = number;
        l->answers[l->next_answer].refusal = unit_command(u, payload[1], payload, now_us);
        l->answers[l->next_answer].number = number;
        l->next_answer = (l->next_answer + 1) % ANSWERS;
    }
    for (uint8_t i = 0; i < ANSWERS; i++)
        if (l->answers[i].number == number)
            say_answer(l, number, l->answers[i].refusal);
}

static void greet(struct link *l, uint16_t number, const uint8_t *payload, int64_t now_us)
{
    struct greet greet;
    protocol_read_greet(payload, &greet);
    l->greeted = greet.major == PROTOCOL_MAJOR;
    l->unit->last_command = number;
    memset(l->answers, 0, sizeof l->answers);
    l->sent = 0;
    say_hello(l, number, now_us);
}

static bool hear(struct link *l, uint8_t *payload, uint8_t size, int64_t now_us)
{
    if (size < PROTOCOL_HEADER_SIZE || size != size_of(payload[1]))
        return false;
    if (payload[0] != PROTOCOL_MAJOR && payload[1] != GREET)
        return false;
    uint16_t number = (uint16_t)protocol_get(payload + 2, 2);
    uint8_t pong[PONG_SIZE];
    if (payload[1] != GREET) /* who only greets does not hear us: the link is not up */
        unit_heard(l->unit, now_us);
    switch (payload[1]) {
    case GREET:
        greet(l, number, payload, now_us);
        break;
    case PING:
        protocol_put(pong + PROTOCOL_HEADER_SIZE, 6, (uint64_t)now_us);
        say(l, PONG, number, pong, PONG_SIZE);
        break;
    case SEEN:
        unit_acknowledge(l->unit, number);
        break;
    case SET_CLOCK:
    case CONFIGURE:
    case IDENTIFY:
    case LIGHT_TEST:
        carry_out(l, number, payload, now_us);
        break;
    }
    return true;
}

void link_byte(struct link *l, uint8_t byte, int64_t now_us)
{
    if (byte != 0) {
        if (l->in_count < FRAME_MAX)
            l->in[l->in_count++] = byte;
        else
            l->too_long = true;
        return;
    }
    if (l->in_count) {
        uint8_t size = l->too_long ? 0 : frame_read(l->in, l->in_count);
        if (size == 0 || !hear(l, l->in, size, now_us))
            l->garbled++;
    }
    l->in_count = 0;
    l->too_long = false;
}

/* ---------------------------------------------------------------------------------------------------- */

void link_start(struct link *l, struct unit *unit, int64_t now_us)
{
    memset(l, 0, sizeof *l);
    l->unit = unit;
    say_hello(l, 0, now_us);
}

OWN_FRAME static bool say_snapshot(struct link *l, int64_t now_us)
{
    uint8_t payload[SNAPSHOT_SIZE];
    struct snapshot snapshot;
    unit_snapshot(l->unit, now_us, &snapshot);
    protocol_write_snapshot(payload, &snapshot);
    return say(l, SNAPSHOT, 0, payload, SNAPSHOT_SIZE);
}

void link_run(struct link *l, int64_t now_us)
{
    unit_advance(l->unit, now_us);
    say_events(l, now_us);
    if (now_us >= l->snapshot_due_us && say_snapshot(l, now_us))
        l->snapshot_due_us = now_us + SNAPSHOT_US;
}
