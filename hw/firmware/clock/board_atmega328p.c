/* The clock unit on an ATmega328P with a 16 MHz crystal: pins, timers, UART, EEPROM around the portable core.
 *
 *   PD0 PD1  UART, 57,600 8N1            PD2 PD3  paddles left, right (to ground, pull-ups on)
 *   PD4 PD5  left buttons, first second  PD6 PD7  right buttons, first second
 *   PB0 PB1  left display clock, data    PB2 PB4  right display clock, data
 *   PB3      piezo (OC2A)                PC0 PC1  lamps left, right
 *   PC2      half the supply voltage (ADC2, against AVCC = 5 V)
 *
 * Timer 1 counts half microseconds and never stops: it is the unit's time. Pin changes stamp every edge of a
 * contact as it happens; the main loop wakes at every interrupt, at least once a millisecond (timer 0). */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "face.h"
#include "input.h"
#include "link.h"
#include "store.h"
#include "tm1637.h"

#define BAUD 57600
#include <util/setbaud.h>

#define EDGES 8 /* powers of two */
#define RECEIVED 64
#define CONTACT_PINS 0xFC
#define LAMPS 0x03
#define SHOW_EVERY_US 10000
#define SUPPLY_EVERY_US 1000000
#define AVCC_MV 5000UL

struct edge {
    uint32_t overflows;
    uint16_t count;
    uint8_t pins;
};

static struct memory memory __attribute__((section(".noinit")));
static uint8_t reset_flags __attribute__((section(".noinit")));
static struct unit unit;
static struct link line;
static struct input input;
static struct store store;
static struct tm1637 displays[SEATS] = { { .clock = 1 << PB0, .data = 1 << PB1 }, { .clock = 1 << PB2, .data = 1 << PB4 } };

static volatile uint32_t overflows;
static volatile struct edge edges[EDGES];
static volatile uint8_t edges_in, edges_out;
static volatile uint8_t received[RECEIVED];
static volatile uint8_t received_in, received_out;

/* Before main: the watchdog stays on through its own reset and must be calmed at once. */
void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
void keep_reset_flags(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* Time --------------------------------------------------------------------------------------------- */

ISR(TIMER1_OVF_vect) { overflows++; }
EMPTY_INTERRUPT(TIMER0_COMPA_vect)

/* With interrupts off: the count, and the overflows counting one that has not been served yet. */
static uint32_t read_time(uint16_t *count)
{
    *count = TCNT1;
    uint32_t over = overflows;
    if (TIFR1 & (1 << TOV1) && *count < 0x8000)
        over++;
    return over;
}

static int64_t microseconds(uint32_t over, uint16_t count) { return (int64_t)over << 15 | count >> 1; }

static int64_t now_us(void)
{
    uint16_t count;
    uint32_t over;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { over = read_time(&count); }
    return microseconds(over, count);
}

/* Contacts ----------------------------------------------------------------------------------------- */

ISR(PCINT2_vect)
{
    uint16_t count;
    uint32_t over = read_time(&count);
    uint8_t next = (edges_in + 1) & (EDGES - 1);
    if (next == edges_out) /* more bounces than we can hold: the newest replaces the one before */
        next = edges_in, edges_in = (edges_in - 1) & (EDGES - 1);
    edges[edges_in].overflows = over;
    edges[edges_in].count = count;
    edges[edges_in].pins = PIND;
    edges_in = next;
}

static const uint8_t bits[SEATS][CONTACTS] = { { PD2, PD4, PD5 }, { PD3, PD6, PD7 } };

static void start_contacts(void)
{
    uint8_t pins = PIND;
    for (uint8_t seat = 0; seat < SEATS; seat++)
        for (uint8_t contact = 0; contact < CONTACTS; contact++)
            input_at_start(&input, seat, contact, !(pins & 1 << bits[seat][contact]));
}

static void pins_are(uint8_t pins, int64_t at_us)
{
    for (uint8_t seat = 0; seat < SEATS; seat++)
        for (uint8_t contact = 0; contact < CONTACTS; contact++)
            input_edge(&input, seat, contact, !(pins & 1 << bits[seat][contact]), at_us);
}

static void take_edges(void)
{
    struct edge edge;
    for (;;) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            edge.overflows = edges[edges_out].overflows;
            edge.count = edges[edges_out].count;
            edge.pins = edges[edges_out].pins;
            if (edges_out == edges_in)
                return;
            edges_out = (edges_out + 1) & (EDGES - 1);
        }
        pins_are(edge.pins, microseconds(edge.overflows, edge.count));
    }
}

/* The line ----------------------------------------------------------------------------------------- */

ISR(USART_RX_vect)
{
    uint8_t next = (received_in + 1) & (RECEIVED - 1);
    received[received_in] = UDR0;
    if (next != received_out) /* full: the frame is lost, and asked for again */
        received_in = next;
}

ISR(USART_UDRE_vect)
{
    uint8_t byte;
    if (link_take(&line, &byte))
        UDR0 = byte;
    else
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

static void run_line(int64_t now)
{
    while (received_out != received_in) {
        link_byte(&line, received[received_out], now);
        received_out = (received_out + 1) & (RECEIVED - 1);
    }
    link_run(&line, now);
    UCSR0B |= 1 << UDRIE0;
}

/* What people see ---------------------------------------------------------------------------------- */

static uint8_t side_at(uint8_t seat)
{
    uint8_t left = unit.setup.left;
    return seat == SEAT_LEFT ? left : left == SIDE_RED ? SIDE_WHITE : SIDE_RED;
}

static void show(int64_t now)
{
    bool lit = now < unit.lit_until_us;
    uint8_t lamps = 0;
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        uint8_t side = side_at(seat), digits[DIGITS];
        face_show(&unit, side, input_word(&input, side), now, digits);
        tm1637_show(&displays[seat], digits, unit.setup.brightness);
        if (lit || unit_lamp(&unit, side))
            lamps |= 1 << seat;
    }
    PORTC = (PORTC & (uint8_t)~LAMPS) | lamps;
    TCCR2B = unit_beeps(&unit, now) ? 1 << CS22 : 0;
}

/* Supply and EEPROM -------------------------------------------------------------------------------- */

static void measure_supply(int64_t now)
{
    if (!(ADCSRA & (1 << ADSC)) && (ADCSRA & (1 << ADIF))) {
        unit_supply(&unit, (uint16_t)(2 * AVCC_MV * ADC / 1024), now);
        ADCSRA |= 1 << ADIF;
    }
    ADCSRA |= 1 << ADSC;
}

static uint8_t read_eeprom(uint16_t at) { return eeprom_read_byte((const uint8_t *)at); }

static void write_eeprom(void)
{
    uint16_t at;
    uint8_t byte;
    if (eeprom_is_ready() && store_next(&store, &at, &byte))
        eeprom_write_byte((uint8_t *)at, byte);
}

/* ---------------------------------------------------------------------------------------------------- */

static void start_hardware(void)
{
    PORTD = CONTACT_PINS;
    DDRC = LAMPS;
    DDRB = 1 << PB3;
    PCMSK2 = CONTACT_PINS;
    PCICR = 1 << PCIE2;
    TCCR1B = 1 << CS11;
    TIMSK1 = 1 << TOIE1;
    OCR0A = 249; /* 16 MHz / 64 / 250: a millisecond */
    TCCR0A = 1 << WGM01;
    TCCR0B = 1 << CS01 | 1 << CS00;
    TIMSK0 = 1 << OCIE0A;
    OCR2A = 62; /* 2 kHz */
    TCCR2A = 1 << COM2A0 | 1 << WGM21;
    ADMUX = 1 << REFS0 | 2;
    ADCSRA = 1 << ADEN | 1 << ADPS2 | 1 << ADPS1 | 1 << ADPS0;
    UCSR0A = USE_2X << U2X0;
    UBRR0 = UBRR_VALUE;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    for (uint8_t seat = 0; seat < SEATS; seat++)
        tm1637_start(&displays[seat]);
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_500MS);
}

static uint8_t reset_cause(void)
{
    if (reset_flags & 1 << WDRF)
        return RESET_CAUSE_WATCHDOG;
    if (reset_flags & 1 << BORF && !(reset_flags & 1 << PORF))
        return RESET_CAUSE_BROWN_OUT;
    return reset_flags & 1 << PORF ? RESET_CAUSE_POWER : RESET_CAUSE_PIN;
}

int main(void)
{
    struct kept stored;
    struct identify identity;
    bool found = store_start(&store, read_eeprom, &stored, &identity);
    unit_start(&unit, &memory, found ? &stored : NULL, reset_cause());
    unit.identity = identity;
    start_hardware();
    input_start(&input, &unit);
    link_start(&line, &unit, 0);
    start_contacts();
    sei();
    int64_t show_us = 0, supply_us = 0;
    for (;;) {
        wdt_reset();
        take_edges();
        int64_t now = now_us();
        input_run(&input, now);
        run_line(now);
        unit_alive(&unit, now);
        store_run(&store, &unit, now);
        write_eeprom();
        if (now >= show_us) {
            show_us = now + SHOW_EVERY_US;
            show(now);
        }
        if (now >= supply_us) {
            supply_us = now + SUPPLY_EVERY_US;
            measure_supply(now);
        }
        sleep_mode();
    }
}
