#include "face.h"

#include <string.h>

#define SECOND_US 1000000
#define TENTHS_BELOW_US INT64_C(20000000)
#define FOUR_DIGITS_US INT64_C(6000000000) /* 100 minutes do not fit as minutes and seconds */
#define MOST_MINUTES 5999 /* 99:59 */
#define PERIOD_US 3000000
#define WORD_US 1000000

static const uint8_t NUMERALS[10] = { 0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F };
static const char WORDS[][DIGITS + 1] = WORD_TEXTS;

uint8_t face_segments(char letter)
{
    static const char LETTERS[] = "PAUSrECLndOFG";
    static const uint8_t SHAPES[] = { 0x73, 0x77, 0x3E, 0x6D, 0x50, 0x79, 0x39, 0x38, 0x54, 0x5E, 0x3F, 0x71, 0x3D };
    const char *found = letter ? strchr(LETTERS, letter) : NULL;
    if (found)
        return SHAPES[found - LETTERS];
    return letter >= '0' && letter <= '9' ? NUMERALS[letter - '0'] : 0;
}

static void show_pairs(uint8_t left, uint8_t right, uint8_t digits[DIGITS])
{
    digits[0] = left >= 10 ? NUMERALS[left / 10] : 0;
    digits[1] = NUMERALS[left % 10] | COLON;
    digits[2] = NUMERALS[right / 10];
    digits[3] = NUMERALS[right % 10];
}

/* h:mm above the configured time, m:ss up to there, ss:t below 20 s; never more than is left. */
static void show_time(int64_t left_us, uint16_t coarse_above_s, uint8_t digits[DIGITS])
{
    if (left_us > coarse_above_s * INT64_C(1000000) || left_us >= FOUR_DIGITS_US) {
        uint32_t minutes = (uint32_t)(left_us / (60 * INT64_C(1000000)));
        if (minutes > MOST_MINUTES)
            minutes = MOST_MINUTES;
        show_pairs((uint8_t)(minutes / 60), (uint8_t)(minutes % 60), digits);
    } else if (left_us < TENTHS_BELOW_US) {
        uint8_t tenths = (uint8_t)((uint32_t)left_us / 100000);
        show_pairs(tenths / 10, tenths % 10 * 10, digits);
        digits[3] = 0;
    } else {
        uint16_t seconds = (uint16_t)(left_us / SECOND_US);
        show_pairs((uint8_t)(seconds / 60), (uint8_t)(seconds % 60), digits);
    }
}

static bool steady(uint8_t word) { return word >= WORD_FLAG && word != WORD_CALLED; }

/* Whether the word has its turn now; words that ask for an act have it always. */
static bool word_shows(uint8_t word, int64_t shown_us)
{
    if (word == WORD_TIME)
        return false;
    if (word == WORD_REFUSED)
        return shown_us < WORD_US;
    return steady(word) || shown_us % PERIOD_US < WORD_US;
}

static uint8_t word_on(const struct unit *u, uint8_t side, int64_t *since_us)
{
    const struct face *face = &u->face[side - 1];
    *since_us = face->since_us;
    if (u->kept.flag == side)
        return WORD_FLAG;
    if (u->crown_shown && u->kept.hold == side)
        return WORD_CROWN;
    if (u->alone) {
        *since_us = u->lost_us;
        return WORD_LINE_LOST;
    }
    return face->word;
}

void face_show(const struct unit *u, uint8_t side, uint8_t gesture, int64_t now_us, uint8_t digits[DIGITS])
{
    if (now_us < u->lit_until_us) {
        memset(digits, 0xFF, DIGITS);
        return;
    }
    int64_t since_us = now_us;
    uint8_t word = gesture == WORD_TIME ? word_on(u, side, &since_us) : gesture;
    if (!word_shows(word, now_us - since_us)) {
        show_time(unit_remaining(u, side, now_us), u->setup.coarse_above_s, digits);
        return;
    }
    memset(digits, 0, DIGITS);
    for (uint8_t i = 0; i < DIGITS && WORDS[word][i]; i++)
        digits[i] = face_segments(WORDS[word][i]);
    if (word == WORD_CROWN) {
        digits[2] = NUMERALS[u->kept.hold_square / 10];
        digits[3] = NUMERALS[u->kept.hold_square % 10];
    }
}
