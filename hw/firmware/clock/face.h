/* What the two displays show, as segments: bit 0 to 6 are a to g, bit 7 of the second digit is the colon.
 * Portable. */
#ifndef CROWNHEAD_FACE_H
#define CROWNHEAD_FACE_H

#include "core.h"

#define DIGITS 4
#define COLON 0x80

/* `gesture` is the word that a gesture under way puts there (WORD_TIME: none). */
void face_show(const struct unit *u, uint8_t side, uint8_t gesture, int64_t now_us, uint8_t digits[DIGITS]);
uint8_t face_segments(char letter);

#endif
