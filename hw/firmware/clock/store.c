#include "store.h"

#include <string.h>

#define EVERY_US 20000000
#define NOT_WITHIN_US 2000000
#define IDENTITY_SIZE 6
#define CRC_SIZE 2

/* A slot: what is left (2 x 5), moves (2 x 2), time control, flag, boot, serial, checksum. */
static void pack(const struct unit *u, int64_t now_us, uint16_t serial, uint8_t *slot)
{
    const struct kept *kept = &u->kept;
    memset(slot, 0, SLOT_SIZE);
    protocol_put(slot, 5, (uint64_t)unit_remaining(u, SIDE_RED, now_us));
    protocol_put(slot + 5, 5, (uint64_t)unit_remaining(u, SIDE_WHITE, now_us));
    protocol_put(slot + 10, 2, kept->moves[0]);
    protocol_put(slot + 12, 2, kept->moves[1]);
    slot[14] = kept->every;
    protocol_put(slot + 15, 3, kept->add_ms);
    protocol_put(slot + 18, 3, kept->bonus_ms);
    protocol_put(slot + 21, 3, kept->delay_ms);
    slot[24] = kept->flag;
    protocol_put(slot + 25, 2, kept->boot_id);
    protocol_put(slot + 28, 2, serial);
    protocol_put(slot + 30, 2, crc16(0xFFFF, slot, SLOT_SIZE - CRC_SIZE));
}

static void unpack(const uint8_t *slot, struct kept *kept)
{
    memset(kept, 0, sizeof *kept);
    kept->left_us[0] = (int64_t)protocol_get(slot, 5);
    kept->left_us[1] = (int64_t)protocol_get(slot + 5, 5);
    kept->moves[0] = (uint16_t)protocol_get(slot + 10, 2);
    kept->moves[1] = (uint16_t)protocol_get(slot + 12, 2);
    kept->every = slot[14];
    kept->add_ms = (uint32_t)protocol_get(slot + 15, 3);
    kept->bonus_ms = (uint32_t)protocol_get(slot + 18, 3);
    kept->delay_ms = (uint32_t)protocol_get(slot + 21, 3);
    kept->flag = slot[24];
    kept->boot_id = (uint16_t)protocol_get(slot + 25, 2);
}

static bool whole(const uint8_t *bytes, uint8_t size)
{
    return protocol_get(bytes + size - CRC_SIZE, CRC_SIZE) == crc16(0xFFFF, bytes, size - CRC_SIZE);
}

static void read_bytes(uint8_t (*read)(uint16_t at), uint16_t at, uint8_t count, uint8_t *bytes)
{
    for (uint8_t i = 0; i < count; i++)
        bytes[i] = read(at + i);
}

bool store_start(struct store *s, uint8_t (*read)(uint16_t at), struct kept *state, struct identify *identity)
{
    bool found = false;
    memset(s, 0, sizeof *s);
    memset(identity, 0, sizeof *identity);
    read_bytes(read, 0, IDENTITY_SIZE + CRC_SIZE, s->bytes);
    if (whole(s->bytes, IDENTITY_SIZE + CRC_SIZE)) {
        identity->unit_id = (uint32_t)protocol_get(s->bytes, 4);
        identity->calibration = (int16_t)protocol_get(s->bytes + 4, 2);
    }
    for (uint8_t slot = 0; slot < SLOTS; slot++) {
        read_bytes(read, (uint16_t)(slot + 1) * SLOT_SIZE, SLOT_SIZE, s->bytes);
        uint16_t serial = (uint16_t)protocol_get(s->bytes + 28, 2);
        if (!whole(s->bytes, SLOT_SIZE) || (found && (int16_t)(serial - s->serial) < 0))
            continue;
        found = true;
        s->serial = serial;
        s->slot = slot;
        unpack(s->bytes, state);
    }
    return found;
}

void store_run(struct store *s, struct unit *u, int64_t now_us)
{
    if (s->written < s->count)
        return;
    if (u->identity_changed) {
        u->identity_changed = false;
        protocol_put(s->bytes, 4, u->identity.unit_id);
        protocol_put(s->bytes + 4, 2, (uint16_t)u->identity.calibration);
        protocol_put(s->bytes + IDENTITY_SIZE, CRC_SIZE, crc16(0xFFFF, s->bytes, IDENTITY_SIZE));
        s->at = 0;
        s->count = IDENTITY_SIZE + CRC_SIZE;
        s->written = 0;
        return;
    }
    bool runs = u->kept.running != SIDE_NONE;
    int64_t gone_us = now_us - s->written_us;
    s->ran |= runs;
    if (s->begun && (!s->ran || gone_us < (runs ? EVERY_US : NOT_WITHIN_US)))
        return;
    s->begun = true;
    s->ran = runs;
    s->written_us = now_us;
    s->slot = (s->slot + 1) % SLOTS;
    s->at = (uint16_t)(s->slot + 1) * SLOT_SIZE;
    s->count = SLOT_SIZE;
    s->written = 0;
    pack(u, now_us, ++s->serial, s->bytes);
}

bool store_next(struct store *s, uint16_t *at, uint8_t *byte)
{
    if (s->written == s->count)
        return false;
    *at = s->at + s->written;
    *byte = s->bytes[s->written++];
    return true;
}
