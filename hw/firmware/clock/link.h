/* The unit's end of the line: frames, greeting, answers, events until acknowledged, snapshots. Portable.
 *
 * Bytes come in by link_byte, one at a time; bytes to send wait in a ring that the UART empties by
 * link_take, which may be called from an interrupt. What does not fit into the ring is left out: the
 * daemon asks again, events are repeated. */
#ifndef CROWNHEAD_LINK_H
#define CROWNHEAD_LINK_H

#include "core.h"

#define FRAME_MAX (PROTOCOL_MAX_PAYLOAD + 3) /* checksum and one byte of stuffing; the zero not counted */
#define OUT_SIZE 128                         /* a power of two */
#define ANSWERS 4

struct link {
    struct unit *unit;
    uint8_t in[FRAME_MAX];
    uint8_t in_count;
    bool too_long;
    uint16_t garbled;
    volatile uint8_t out[OUT_SIZE];
    volatile uint8_t out_in, out_out;
    bool greeted;
    struct {
        uint16_t number;
        uint8_t refusal;
    } answers[ANSWERS];
    uint8_t next_answer;
    int64_t snapshot_due_us, resend_due_us;
    uint16_t sent;
};

void link_start(struct link *l, struct unit *unit, int64_t now_us);
void link_byte(struct link *l, uint8_t byte, int64_t now_us);
void link_run(struct link *l, int64_t now_us);
bool link_take(struct link *l, uint8_t *byte);

/* A frame with its closing zero; gives its length. `out` holds FRAME_MAX + 1 bytes. */
uint8_t frame_write(const uint8_t *payload, uint8_t size, uint8_t *out);
/* The payload of what stood between two zeros, in place; gives its size, 0 for what is no frame. */
uint8_t frame_read(uint8_t *stuffed, uint8_t count);

#endif
