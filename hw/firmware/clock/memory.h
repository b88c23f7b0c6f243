/* What comes through a restart: the state in two copies written in turn, and the ring of events. */
#ifndef CROWNHEAD_MEMORY_H
#define CROWNHEAD_MEMORY_H

#include "core.h"

/* The detail of a PRESS event. */
#define PRESS_REFUSED 1
#define PRESS_APPLIED 2

void unit_save(struct unit *u);
bool unit_recall(struct unit *u); /* whether there was anything whole to take over */
void unit_check_ring(struct unit *u);
uint16_t unit_report(struct unit *u, uint8_t code, uint8_t side, uint8_t detail, uint16_t data, int64_t at_us);

#endif
