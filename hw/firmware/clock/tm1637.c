#include "tm1637.h"

#include <avr/io.h>
#include <string.h>
#include <util/delay_basic.h>

#define WRITE_ON 0x40
#define FIRST_DIGIT 0xC0
#define CONTROL 0x88

/* A line is pulled low by making its pin an output; let go, a resistor takes it high. */
static void low(uint8_t bit) { DDRB |= bit; }
static void high(uint8_t bit) { DDRB &= (uint8_t)~bit; }
static void wait(void) { _delay_loop_1(20); } /* 60 cycles: under the 250 kHz that every module takes */

static void start(const struct tm1637 *d)
{
    low(d->data);
    wait();
}

static void stop(const struct tm1637 *d)
{
    low(d->clock);
    wait();
    low(d->data);
    wait();
    high(d->clock);
    wait();
    high(d->data);
    wait();
}

static void put(const struct tm1637 *d, uint8_t byte)
{
    for (uint8_t i = 0; i < 9; i++) { /* the ninth clock is the display's acknowledge */
        low(d->clock);
        wait();
        if (i == 8 || byte & 1)
            high(d->data);
        else
            low(d->data);
        byte >>= 1;
        wait();
        high(d->clock);
        wait();
    }
}

static void send(const struct tm1637 *d, uint8_t command, const uint8_t *data, uint8_t count)
{
    start(d);
    put(d, command);
    while (count--)
        put(d, *data++);
    stop(d);
}

void tm1637_start(struct tm1637 *d)
{
    PORTB &= (uint8_t)~(d->clock | d->data);
    high(d->clock);
    high(d->data);
    memset(d->shown, 0xAA, sizeof d->shown); /* nothing that is ever shown, so that the first writes all */
    d->brightness = 0xFF;
}

void tm1637_show(struct tm1637 *d, const uint8_t digits[4], uint8_t brightness)
{
    brightness &= 7;
    if (memcmp(d->shown, digits, sizeof d->shown) != 0) {
        memcpy(d->shown, digits, sizeof d->shown);
        send(d, WRITE_ON, NULL, 0);
        send(d, FIRST_DIGIT, digits, sizeof d->shown);
    }
    if (d->brightness != brightness) {
        d->brightness = brightness;
        send(d, CONTROL | brightness, NULL, 0);
    }
}
