/* Contacts to gestures: paddles stamped at their first edge that holds, buttons by how long they are held.
 *
 * The box has a left and a right; which side sits where is told by CONFIGURE. Every edge is given in order by
 * input_edge, and input_run is called at least every millisecond. First button: short = adjust, held 1 s = crowned.
 * Second: short = call the referee, held 2 s = menu (rE, dr, CL; a short press steps on, the own paddle
 * confirms, ten seconds without either close it). While a draw is offered the other side accepts it by
 * holding its paddle 1 s. Both paddles held 2 s sign. Portable. */
#ifndef CROWNHEAD_INPUT_H
#define CROWNHEAD_INPUT_H

#include "core.h"

#define HOLD_US 2000
#define LOCKOUT_US 20000

enum contact { PADDLE, FIRST_BUTTON, SECOND_BUTTON, CONTACTS };
enum seat { SEAT_LEFT, SEAT_RIGHT, SEATS };

/* `closed` and `edge_us` are the raw contact; `held` is the contact debounced, since `held_us`. */
struct contact_state {
    bool closed;
    int64_t edge_us;
    bool held, done;
    int64_t held_us, locked_until_us;
};

struct input {
    struct unit *unit;
    struct contact_state contact[SEATS][CONTACTS];
    uint8_t menu[2]; /* by side: enum button of the open item, 0 for closed */
    int64_t menu_us[2];
    uint8_t offers; /* the side that has offered a draw */
    uint16_t offered_at[2];
    bool both_done;
};

void input_start(struct input *in, struct unit *unit);
/* A contact that is closed already at the start is held, not pressed. */
void input_at_start(struct input *in, uint8_t seat, uint8_t contact, bool closed);
void input_edge(struct input *in, uint8_t seat, uint8_t contact, bool closed, int64_t at_us);
void input_run(struct input *in, int64_t now_us);
/* The word that a gesture puts on the display of `side`, WORD_TIME for none. */
uint8_t input_word(const struct input *in, uint8_t side);

#endif
