#include "input.h"

#include <string.h>

#define MENU_HOLD_US 2000000
#define MENU_OPEN_US 10000000
#define CROWN_HOLD_US 1000000
#define ACCEPT_HOLD_US 1000000
#define BOTH_HOLD_US 2000000

void input_start(struct input *in, struct unit *unit)
{
    memset(in, 0, sizeof *in);
    in->unit = unit;
}

void input_at_start(struct input *in, uint8_t seat, uint8_t contact, bool closed)
{
    struct contact_state *state = &in->contact[seat][contact];
    state->closed = state->held = state->done = closed;
}

static uint8_t side_at(const struct input *in, uint8_t seat)
{
    uint8_t left = in->unit->setup.left;
    if (seat == SEAT_LEFT)
        return left;
    return left == SIDE_RED ? SIDE_WHITE : SIDE_RED;
}

static void offer(struct input *in, uint8_t side)
{
    in->offers = side;
    in->offered_at[0] = in->unit->kept.moves[0];
    in->offered_at[1] = in->unit->kept.moves[1];
}

static bool offer_stands(const struct input *in)
{
    return in->offers != SIDE_NONE && !in->unit->alone && in->offered_at[0] == in->unit->kept.moves[0] &&
           in->offered_at[1] == in->unit->kept.moves[1];
}

static void paddle_pressed(struct input *in, uint8_t side, int64_t at_us)
{
    uint8_t item = in->menu[side - 1];
    if (item == 0) {
        unit_press(in->unit, side, at_us);
        return;
    }
    in->menu[side - 1] = 0;
    unit_button(in->unit, side, item, at_us);
    if (item == BUTTON_DRAW)
        offer(in, side);
}

static void second_button_short(struct input *in, uint8_t side, int64_t at_us)
{
    uint8_t *item = &in->menu[side - 1];
    in->menu_us[side - 1] = at_us;
    if (*item == 0)
        unit_button(in->unit, side, BUTTON_REFEREE, at_us);
    else
        *item = *item == BUTTON_CLAIM ? 0 : *item + 1;
}

/* Held for as long as it takes to mean something else than a short press; `done` says that it has been told. */
static void held_on(struct input *in, uint8_t side, uint8_t contact, struct contact_state *state, int64_t now_us)
{
    int64_t held_us = now_us - state->held_us;
    if (state->done)
        return;
    if (contact == FIRST_BUTTON && held_us >= CROWN_HOLD_US) {
        state->done = true;
        unit_button(in->unit, side, BUTTON_CROWN, now_us);
    } else if (contact == SECOND_BUTTON && held_us >= MENU_HOLD_US) {
        state->done = true;
        in->menu[side - 1] = BUTTON_RESIGN;
        in->menu_us[side - 1] = now_us;
    } else if (contact == PADDLE && held_us >= ACCEPT_HOLD_US) {
        state->done = true;
        if (offer_stands(in) && in->offers != side) {
            in->offers = SIDE_NONE;
            unit_button(in->unit, side, BUTTON_DRAW, now_us);
        }
    }
}

static void released(struct input *in, uint8_t side, uint8_t contact, bool done, int64_t at_us)
{
    if (done)
        return;
    if (contact == FIRST_BUTTON)
        unit_button(in->unit, side, BUTTON_ADJUST, at_us);
    else if (contact == SECOND_BUTTON)
        second_button_short(in, side, at_us);
}

static void run_contact(struct input *in, uint8_t seat, uint8_t contact, int64_t now_us)
{
    struct contact_state *state = &in->contact[seat][contact];
    uint8_t side = side_at(in, seat);
    bool closed = state->closed;
    int64_t edge_us = state->edge_us;
    bool settled = now_us - edge_us >= HOLD_US && now_us >= state->locked_until_us;
    if (state->held && closed)
        held_on(in, side, contact, state, now_us);
    if (contact == PADDLE) /* a press that has yet to hold for 2 ms may have come before the flag */
        unit_touch(in->unit, side, closed && !state->held && !settled, edge_us);
    if (!settled || closed == state->held)
        return;
    bool done = state->done;
    state->held = closed;
    state->done = false;
    state->held_us = edge_us;
    state->locked_until_us = edge_us + HOLD_US + LOCKOUT_US;
    if (!closed)
        released(in, side, contact, done, edge_us);
    else if (contact == PADDLE)
        paddle_pressed(in, side, edge_us);
}

static void run_both(struct input *in, int64_t now_us)
{
    const struct contact_state *left = &in->contact[SEAT_LEFT][PADDLE], *right = &in->contact[SEAT_RIGHT][PADDLE];
    if (!left->held || !right->held) {
        in->both_done = false;
        return;
    }
    int64_t since_us = left->held_us > right->held_us ? left->held_us : right->held_us;
    if (!in->both_done && now_us - since_us >= BOTH_HOLD_US) {
        in->both_done = true;
        unit_both_held(in->unit, now_us);
    }
}

void input_run(struct input *in, int64_t now_us)
{
    /* The earlier edge first: two paddles within one pass keep their order. */
    const struct contact_state *left = &in->contact[SEAT_LEFT][PADDLE], *right = &in->contact[SEAT_RIGHT][PADDLE];
    uint8_t first = right->edge_us < left->edge_us ? SEAT_RIGHT : SEAT_LEFT;
    for (uint8_t i = 0; i < SEATS; i++)
        for (uint8_t contact = 0; contact < CONTACTS; contact++)
            run_contact(in, i ^ first, contact, now_us);
    run_both(in, now_us);
    for (uint8_t i = 0; i < 2; i++)
        if (in->menu[i] && now_us - in->menu_us[i] >= MENU_OPEN_US)
            in->menu[i] = 0;
    if (!offer_stands(in))
        in->offers = SIDE_NONE;
}

void input_edge(struct input *in, uint8_t seat, uint8_t contact, bool closed, int64_t at_us)
{
    struct contact_state *state = &in->contact[seat][contact];
    if (state->closed == closed)
        return;
    input_run(in, at_us); /* what has held until now counts, however late we hear of its end */
    state->edge_us = at_us;
    state->closed = closed;
}

uint8_t input_word(const struct input *in, uint8_t side)
{
    switch (in->menu[side - 1]) {
    case BUTTON_RESIGN:
        return WORD_RESIGN;
    case BUTTON_DRAW:
        return WORD_DRAW;
    case BUTTON_CLAIM:
        return WORD_CLAIM;
    }
    return offer_stands(in) && in->offers != side ? WORD_DRAW : WORD_TIME;
}
