#include "core.h"
#include "memory.h"

#include <string.h>

static uint8_t other(uint8_t side) { return side == SIDE_RED ? SIDE_WHITE : SIDE_RED; }

/* Time --------------------------------------------------------------------------------------------- */

int64_t unit_remaining(const struct unit *u, uint8_t side, int64_t now_us)
{
    int64_t left = u->kept.left_us[side - 1];
    if (u->kept.running != side)
        return left;
    int64_t gone = now_us - u->kept.since_us - (int64_t)u->kept.free_us;
    if (gone <= 0)
        return left;
    return gone < left ? left - gone : 0;
}

/* What the clock says at `at_us` becomes what it starts from. */
static void settle(struct unit *u, int64_t at_us)
{
    struct kept *kept = &u->kept;
    if (at_us < kept->since_us)
        at_us = kept->since_us;
    if (kept->running != SIDE_NONE) {
        int64_t gone = at_us - kept->since_us;
        kept->left_us[kept->running - 1] = unit_remaining(u, kept->running, at_us);
        kept->free_us = gone < (int64_t)kept->free_us ? kept->free_us - (uint32_t)gone : 0;
    }
    kept->since_us = at_us;
}

static bool flag_due(const struct unit *u, int64_t *due_us)
{
    const struct kept *kept = &u->kept;
    if (kept->running == SIDE_NONE || kept->flag != SIDE_NONE)
        return false;
    *due_us = kept->since_us + (int64_t)kept->free_us + kept->left_us[kept->running - 1];
    if (u->touched[kept->running - 1] && u->touched_us[kept->running - 1] < *due_us)
        return false;
    for (uint8_t i = 0; i < u->waiting_count; i++)
        if (u->waiting[i].side == kept->running && u->waiting[i].at_us < *due_us)
            return false;
    return true;
}

static void latch_flag(struct unit *u, int64_t at_us)
{
    uint8_t side = u->kept.running;
    u->kept.flag = side;
    /* A command decided before the flag was known clears it for a moment: that is no second flag. */
    if (u->told_flag == side && u->told_flag_us == at_us) {
        unit_save(u);
        return;
    }
    u->told_flag = side;
    u->told_flag_us = at_us;
    unit_report(u, FLAG_FELL, side, 0, 0, at_us);
}

/* Playing on alone --------------------------------------------------------------------------------- */

static uint64_t earned_us(const struct kept *kept, uint16_t moves)
{
    uint32_t stage_ms = kept->every && moves % kept->every == 0 ? kept->add_ms : 0;
    return ((uint64_t)kept->bonus_ms + stage_ms) * 1000;
}

static bool switch_over(struct unit *u, uint8_t side, int64_t at_us)
{
    struct kept *kept = &u->kept;
    bool too_soon = u->switched && at_us - u->switched_us <= DOUBLE_PRESS_US;
    if (kept->running != side || too_soon)
        return false;
    settle(u, at_us);
    kept->moves[side - 1]++;
    kept->left_us[side - 1] += (int64_t)earned_us(kept, kept->moves[side - 1]);
    kept->running = other(side);
    kept->free_us = kept->delay_ms * 1000;
    u->switched = true;
    u->switched_us = at_us;
    return true;
}

static void report_stage(struct unit *u, uint8_t side, int64_t at_us)
{
    uint16_t moves = u->kept.moves[side - 1];
    if (u->kept.every && moves && moves % u->kept.every == 0)
        unit_report(u, STAGE_PASSED, side, 0, moves, at_us);
}

static void lose(struct unit *u, int64_t at_us)
{
    u->alone = true;
    u->lost_us = at_us;
    u->kept.hold = SIDE_NONE;
    u->crown_shown = false;
    u->switched = false;
    uint8_t count = u->waiting_count;
    u->waiting_count = 0;
    for (uint8_t i = 0; i < count; i++) {
        const struct waiting *press = &u->waiting[i];
        int64_t due_us;
        if (flag_due(u, &due_us) && due_us <= press->at_us)
            latch_flag(u, due_us);
        if (switch_over(u, press->side, press->at_us)) {
            u->applied = press->number;
            report_stage(u, press->side, press->at_us);
        }
    }
    unit_save(u);
}

void unit_advance(struct unit *u, int64_t now_us)
{
    for (;;) {
        int64_t flag_us = 0, lost_us = u->heard_us + LOST_AFTER_US;
        bool flag = flag_due(u, &flag_us);
        bool lost = u->supervised && !u->alone;
        if (flag && flag_us <= now_us && (!lost || flag_us <= lost_us))
            latch_flag(u, flag_us);
        else if (lost && lost_us <= now_us)
            lose(u, lost_us);
        else
            return;
    }
}

/* What is done to the unit ------------------------------------------------------------------------- */

void unit_press(struct unit *u, uint8_t side, int64_t at_us)
{
    unit_advance(u, at_us);
    if (u->alone) {
        bool applied = switch_over(u, side, at_us);
        uint16_t number = unit_report(u, PRESS, side, applied ? PRESS_APPLIED : 0, 0, at_us);
        if (applied) {
            u->applied = number;
            report_stage(u, side, at_us);
        }
        return;
    }
    if (u->kept.hold == side) {
        u->crown_shown = true;
        unit_report(u, PRESS, side, PRESS_REFUSED, 0, at_us);
        return;
    }
    if (u->waiting_count == WAITING_MAX)
        memmove(u->waiting, u->waiting + 1, sizeof u->waiting[0] * --u->waiting_count);
    struct waiting *press = &u->waiting[u->waiting_count++];
    press->side = side;
    press->at_us = at_us;
    press->number = unit_report(u, PRESS, side, 0, 0, at_us);
}

void unit_touch(struct unit *u, uint8_t side, bool touched, int64_t at_us)
{
    u->touched[side - 1] = touched;
    u->touched_us[side - 1] = at_us;
}

void unit_button(struct unit *u, uint8_t side, uint8_t button, int64_t at_us)
{
    unit_advance(u, at_us);
    unit_report(u, BUTTON_USED, side, button, 0, at_us);
}

void unit_both_held(struct unit *u, int64_t at_us)
{
    unit_advance(u, at_us);
    unit_report(u, BOTH_HELD, SIDE_NONE, 0, 0, at_us);
}

void unit_supply(struct unit *u, uint16_t millivolts, int64_t now_us)
{
    unit_advance(u, now_us);
    if (millivolts < BATTERY_LOW_MV && u->supply_mv >= BATTERY_LOW_MV)
        unit_report(u, BATTERY_LOW, SIDE_NONE, 0, millivolts, now_us);
    u->supply_mv = millivolts;
}

void unit_heard(struct unit *u, int64_t now_us)
{
    unit_advance(u, now_us);
    u->supervised = true;
    u->heard_us = now_us;
    if (u->alone) {
        u->alone = false;
        u->face[0].since_us = u->face[1].since_us = now_us;
    }
}

static void put_word(struct face *face, uint8_t word, int64_t now_us)
{
    if (word != face->word || word == WORD_REFUSED) {
        face->word = word;
        face->since_us = now_us;
    }
}

static void forget_judged(struct unit *u, uint16_t judged)
{
    uint8_t stay = 0;
    for (uint8_t i = 0; i < u->waiting_count; i++)
        if (number_newer(u->waiting[i].number, judged))
            u->waiting[stay++] = u->waiting[i];
    u->waiting_count = stay;
}

OWN_FRAME uint8_t unit_set_clock(struct unit *u, const struct set_clock *state, int64_t now_us)
{
    unit_advance(u, now_us);
    if (state->hold != SIDE_NONE && (state->hold_square < 1 || state->hold_square > 32))
        return REFUSAL_OUT_OF_RANGE;
    if (state->delay_ms > DELAY_MAX_MS)
        return REFUSAL_OUT_OF_RANGE;
    if (number_newer(u->applied, state->judged))
        return REFUSAL_STALE;
    struct kept *kept = &u->kept;
    u->applied = 0;
    kept->since_us = (int64_t)state->as_of_us;
    kept->left_us[0] = (int64_t)state->red_us;
    kept->left_us[1] = (int64_t)state->white_us;
    kept->free_us = state->free_us;
    kept->running = state->running;
    kept->moves[0] = state->red_moves;
    kept->moves[1] = state->white_moves;
    kept->flag = state->flag;
    kept->every = state->every;
    kept->add_ms = state->add_ms;
    kept->bonus_ms = state->bonus_ms;
    kept->delay_ms = state->delay_ms;
    u->crown_shown = u->crown_shown && state->hold == kept->hold && state->hold != SIDE_NONE;
    kept->hold = state->hold;
    kept->hold_square = state->hold_square;
    put_word(&u->face[0], state->red_word, now_us);
    put_word(&u->face[1], state->white_word, now_us);
    forget_judged(u, state->judged);
    unit_save(u);
    return 0;
}

OWN_FRAME uint8_t unit_command(struct unit *u, uint8_t code, const uint8_t *payload, int64_t now_us)
{
    unit_advance(u, now_us);
    switch (code) {
    case SET_CLOCK: {
        struct set_clock state;
        return protocol_read_set_clock(payload, &state) ? unit_set_clock(u, &state, now_us) : REFUSAL_OUT_OF_RANGE;
    }
    case CONFIGURE: {
        struct configure setup;
        if (!protocol_read_configure(payload, &setup))
            return REFUSAL_OUT_OF_RANGE;
        u->setup = setup;
        return 0;
    }
    case IDENTIFY:
        protocol_read_identify(payload, &u->identity);
        u->identity_changed = true;
        return 0;
    case LIGHT_TEST: {
        struct light_test test;
        protocol_read_light_test(payload, &test);
        u->lit_until_us = now_us + test.seconds * INT64_C(1000000);
        return 0;
    }
    }
    return REFUSAL_UNKNOWN;
}

void unit_start(struct unit *u, struct memory *memory, const struct kept *stored, uint8_t cause)
{
    memset(u, 0, sizeof *u);
    u->memory = memory;
    u->survived = unit_recall(u);
    if (u->survived) {
        unit_check_ring(u);
        settle(u, memory->alive_us);
    } else {
        memset(memory, 0, sizeof *memory);
        memset(&u->kept, 0, sizeof u->kept);
        if (stored)
            u->kept = *stored;
    }
    u->kept.running = SIDE_NONE;
    u->kept.since_us = 0;
    u->kept.free_us = 0;
    u->kept.boot_id = number_after(u->kept.boot_id);
    u->cause = cause;
    u->supply_mv = 5000;
    u->setup.left = SIDE_RED;
    u->setup.coarse_above_s = 1200;
    u->setup.brightness = 4;
    u->face[0].word = u->face[1].word = WORD_PAUSED;
    u->supervised = true;
    unit_alive(u, 0);
    unit_report(u, RESTARTED, SIDE_NONE, cause, u->kept.boot_id, 0);
}

/* What the unit says ------------------------------------------------------------------------------- */

void unit_snapshot(const struct unit *u, int64_t now_us, struct snapshot *out)
{
    const struct kept *kept = &u->kept;
    int64_t gone = now_us > kept->since_us ? now_us - kept->since_us : 0;
    memset(out, 0, sizeof *out);
    out->at_us = (uint64_t)now_us;
    out->red_us = (uint64_t)unit_remaining(u, SIDE_RED, now_us);
    out->white_us = (uint64_t)unit_remaining(u, SIDE_WHITE, now_us);
    if (kept->running != SIDE_NONE && gone < (int64_t)kept->free_us)
        out->free_us = kept->free_us - (uint32_t)gone;
    out->running = kept->running;
    out->red_moves = kept->moves[0];
    out->white_moves = kept->moves[1];
    out->flag = kept->flag;
    out->hold = kept->hold;
    out->hold_square = kept->hold_square;
    out->alone = u->alone;
    out->applied = u->applied;
    out->newest = kept->newest;
    out->command = u->last_command;
    out->supply_mv = u->supply_mv;
}

bool unit_lamp(const struct unit *u, uint8_t side) { return u->kept.running == side || u->kept.flag == side; }

bool unit_beeps(const struct unit *u, int64_t now_us)
{
    if (u->setup.low_time_s == 0 || u->kept.running == SIDE_NONE || u->kept.flag != SIDE_NONE)
        return false;
    int64_t left = unit_remaining(u, u->kept.running, now_us);
    return left < u->setup.low_time_s * INT64_C(1000000) && left % 1000000 > 950000;
}
