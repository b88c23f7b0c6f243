/* A TM1637 display on two open-drain lines (data sheet V2.4: start, bytes with the least bit first, an
 * acknowledge clock after each, stop; data changes only while the clock is low). */
#ifndef CROWNHEAD_TM1637_H
#define CROWNHEAD_TM1637_H

#include <stdint.h>

struct tm1637 {
    uint8_t clock, data; /* bits of port B */
    uint8_t shown[4], brightness;
};

void tm1637_start(struct tm1637 *display);
/* Writes only what has changed; brightness 0 to 7. About 0.6 ms. */
void tm1637_show(struct tm1637 *display, const uint8_t digits[4], uint8_t brightness);

#endif
