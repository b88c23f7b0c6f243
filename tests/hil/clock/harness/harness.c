/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The compiled clock firmware in simavr (GPL): its serial line, its pins and its displays, for tests. A program of
 * its own, used only by the tests; nothing of it goes into the product.
 *
 *   harness ELF paced [PPM]      real time; the serial line is a pseudo-terminal, named on the first line
 *   harness ELF stepped [PPM]    time goes on only by `run`; the serial line is `rx` and `tx`
 * The unit's crystal runs PPM parts in a million fast (default 0). Microseconds below are true ones.
 *
 * Commands on standard input, one a line:
 *   at US PIN LEVEL        in US microseconds the pin (D2) has LEVEL (0 or 1)
 *   run US                 (stepped) goes on for US microseconds, then says `ran`
 *   rx HEX                 (stepped) bytes from the computer
 *   supply MV              the supply has so many millivolts
 *   reset                  the reset pin; memory stays as it is
 *   power                  off and on again; memory is rubbish, the EEPROM stays
 *   cable 0|1              the serial line is out or in
 *   bad LOST CORRUPTED     bytes in a million lost and corrupted, each way
 *   stat                   says `stat`: wall and simulated microseconds, worst lateness, bytes of stack never used
 *   quiet                  says nothing any more: for a run whose output nobody reads, since a full pipe stops time
 * Said on standard output:
 *   pty PATH | ready WALL (the monotonic clock at time 0, in us) | started US (the unit's timer) | pin PIN LEVEL US WALL | display L|R HEX US (what one start to stop
 *   carried) | lamps BITS US | tx HEX US | ran US | stat ... | crashed */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_regbit.h>

#define MHZ 16
#define MILLION 1000000
#define QUANTUM (MHZ * 1000)
#define TCCR1B 0x81
#define SUPPLY_CHANNEL 2
#define PAINT 0xC5
#define PAINTED 500 /* bytes under the top of the stack that are painted */
#define BYTES 4096
#define UNREAD 1024
#define EVENTS 256

struct display {
    char name;
    uint8_t clock, data;
    bool clock_high, data_high, open;
    uint8_t bits, byte, count, bytes[16];
};

struct pin_event {
    avr_cycle_count_t when;
    int bit, level;
};

struct harness {
    avr_t *avr;
    int line, far; /* the pseudo-terminal's master and slave, -1 when stepped */
    bool started, cable, xon;
    struct display displays[2];
    struct pin_event events[EVENTS];
    int event_count;
    uint8_t in[BYTES], out[BYTES];
    int in_count, out_count;
    uint32_t lost, corrupted;
    int ppm;
    uint8_t levels; /* of port D: the contacts */
    uint64_t dice;
    avr_cycle_count_t run_until;
    int64_t wall_start_us, late_us;
};

static int64_t wall_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* True time of the unit's cycles, and the cycles in a true time. */
static unsigned long long us(const struct harness *h)
{
    return (unsigned long long)((unsigned __int128)h->avr->cycle * MILLION / ((unsigned)(MILLION + h->ppm) * MHZ));
}

static avr_cycle_count_t cycles(const struct harness *h, long long true_us)
{
    return (avr_cycle_count_t)((unsigned __int128)true_us * MHZ * (unsigned)(MILLION + h->ppm) / MILLION);
}

/* Displays, lamps ------------------------------------------------------------------------------------- */

static void display_line(struct harness *h, struct display *d, bool clock_high, bool data_high)
{
    if (d->clock_high && clock_high && d->data_high && !data_high) {
        d->open = true;
        d->bits = d->count = d->byte = 0;
    } else if (d->clock_high && clock_high && !d->data_high && data_high && d->open) {
        d->open = false;
        printf("display %c ", d->name);
        for (uint8_t i = 0; i < d->count; i++)
            printf("%02x", d->bytes[i]);
        printf(" %llu\n", us(h));
    } else if (!d->clock_high && clock_high && d->open && ++d->bits == 9) {
        d->bits = 0; /* the acknowledge */
        if (d->count < sizeof d->bytes)
            d->bytes[d->count++] = d->byte;
    } else if (!d->clock_high && clock_high && d->open) {
        d->byte = (uint8_t)(d->byte >> 1 | (data_high ? 0x80 : 0));
    }
    d->clock_high = clock_high;
    d->data_high = data_high;
}

/* The display lines are open drain: an output pulls low, an input is let go. */
static void on_port_b_direction(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    struct harness *h = param;
    for (int i = 0; i < 2; i++)
        display_line(h, &h->displays[i], !(value & h->displays[i].clock), !(value & h->displays[i].data));
}

static void on_port_c(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    struct harness *h = param;
    printf("lamps %u %llu\n", value & 3, us(h));
}

/* The line --------------------------------------------------------------------------------------------- */

static uint32_t throw_dice(struct harness *h)
{
    h->dice ^= h->dice << 13;
    h->dice ^= h->dice >> 7;
    h->dice ^= h->dice << 17;
    return (uint32_t)((h->dice >> 16) % 1000000);
}

/* Whether the byte arrives, and as what. */
static bool passes(struct harness *h, uint8_t *byte)
{
    if (!h->cable || throw_dice(h) < h->lost)
        return false;
    if (throw_dice(h) < h->corrupted)
        *byte ^= (uint8_t)(1 + throw_dice(h) % 255);
    return true;
}

static void on_uart_out(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    struct harness *h = param;
    uint8_t byte = (uint8_t)value;
    if (passes(h, &byte) && h->out_count < BYTES)
        h->out[h->out_count++] = byte;
}

static void on_uart_xon(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value;
    ((struct harness *)param)->xon = true;
}

static void on_uart_xoff(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value;
    ((struct harness *)param)->xon = false;
}

static void to_unit(struct harness *h, uint8_t byte)
{
    if (passes(h, &byte) && h->in_count < BYTES)
        h->in[h->in_count++] = byte;
}

/* A serial port that nobody reads keeps little; a pseudo-terminal keeps all until it is full, and a reader who
 * waits for a signal of news then hears of none. */
static void forget_unread(const struct harness *h)
{
    int unread;
    if (ioctl(h->far, FIONREAD, &unread) == 0 && unread > UNREAD)
        tcflush(h->far, TCIFLUSH);
}

static void pump(struct harness *h)
{
    avr_irq_t *input = avr_io_getirq(h->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    uint8_t bytes[256];
    ssize_t got;
    while (h->line >= 0 && (got = read(h->line, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++)
            to_unit(h, bytes[i]);
    int given = 0;
    while (given < h->in_count && h->xon)
        avr_raise_irq(input, h->in[given++]);
    memmove(h->in, h->in + given, (size_t)(h->in_count -= given));
    if (h->out_count == 0)
        return;
    if (h->line >= 0) {
        forget_unread(h);
        if (write(h->line, h->out, (size_t)h->out_count) < 0 && errno != EAGAIN && errno != EIO)
            exit(1);
    } else {
        printf("tx ");
        for (int i = 0; i < h->out_count; i++)
            printf("%02x", h->out[i]);
        printf(" %llu\n", us(h));
    }
    h->out_count = 0;
}

/* Pins, supply, resets --------------------------------------------------------------------------------- */

static avr_irq_t *pin(struct harness *h, char port, int bit)
{
    return avr_io_getirq(h->avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
}

static avr_cycle_count_t on_pin_due(struct avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when;
    struct harness *h = param;
    avr_cycle_count_t next = 0;
    int stay = 0;
    for (int i = 0; i < h->event_count; i++) {
        struct pin_event event = h->events[i];
        if (event.when <= avr->cycle) {
            h->levels = (uint8_t)((h->levels & ~(1 << event.bit)) | event.level << event.bit);
            avr_raise_irq(pin(h, 'D', event.bit), (uint32_t)event.level);
            printf("pin D%d %d %llu %lld\n", event.bit, event.level, us(h), (long long)wall_us());
            continue;
        }
        h->events[stay++] = event;
        if (next == 0 || event.when < next)
            next = event.when;
    }
    h->event_count = stay;
    return next;
}

static void schedule(struct harness *h, long long in_us, int bit, int level)
{
    if (h->event_count == EVENTS)
        return;
    struct pin_event event = { h->avr->cycle + cycles(h, in_us), bit, level };
    h->events[h->event_count++] = event;
    avr_cycle_count_t first = event.when;
    for (int i = 0; i < h->event_count; i++)
        if (h->events[i].when < first)
            first = h->events[i].when;
    avr_cycle_timer_cancel(h->avr, on_pin_due, h);
    avr_cycle_timer_register(h->avr, first > h->avr->cycle ? first - h->avr->cycle : 1, on_pin_due, h);
}

/* The contacts as they are; each is turned over first, for simavr passes on only what changes. */
static void apply_levels(struct harness *h)
{
    for (int bit = 2; bit < 8; bit++) {
        avr_raise_irq(pin(h, 'D', bit), !(h->levels >> bit & 1));
        avr_raise_irq(pin(h, 'D', bit), h->levels >> bit & 1);
    }
    h->xon = true;
}

static void reset(struct harness *h, bool power)
{
    avr_t *avr = h->avr;
    if (power)
        for (int at = avr->ioend + 1; at <= avr->ramend; at++)
            avr->data[at] = (uint8_t)(throw_dice(h) >> 3);
    avr_reset(avr);
    avr_regbit_setto(avr, avr->reset_flags.porf, power);
    avr_regbit_setto(avr, avr->reset_flags.extrf, !power);
    apply_levels(h);
    memset(avr->data + avr->ramend + 1 - PAINTED, PAINT, PAINTED - 16);
    h->started = false;
    h->event_count = 0;
}

static int untouched_stack(const struct harness *h)
{
    const uint8_t *low = h->avr->data + h->avr->ramend + 1 - PAINTED;
    int count = 0;
    while (count < PAINTED && low[count] == PAINT)
        count++;
    return count;
}

/* Commands --------------------------------------------------------------------------------------------- */

static void receive_hex(struct harness *h, const char *text)
{
    for (unsigned byte; sscanf(text, "%2x", &byte) == 1; text += 2)
        to_unit(h, (uint8_t)byte);
}

static void obey(struct harness *h, char *text)
{
    long long a;
    unsigned b, c;
    if (sscanf(text, "at %lld D%u %u", &a, &b, &c) == 3 && b >= 2 && b < 8 && c <= 1)
        schedule(h, a, (int)b, (int)c);
    else if (sscanf(text, "run %lld", &a) == 1)
        h->run_until = h->avr->cycle + cycles(h, a);
    else if (strncmp(text, "rx ", 3) == 0)
        receive_hex(h, text + 3);
    else if (sscanf(text, "supply %u", &b) == 1)
        avr_raise_irq(avr_io_getirq(h->avr, AVR_IOCTL_ADC_GETIRQ, SUPPLY_CHANNEL), b / 2);
    else if (strncmp(text, "reset", 5) == 0)
        reset(h, false);
    else if (strncmp(text, "power", 5) == 0)
        reset(h, true);
    else if (sscanf(text, "cable %u", &b) == 1)
        h->cable = b != 0;
    else if (sscanf(text, "bad %u %u", &b, &c) == 2)
        h->lost = b, h->corrupted = c;
    else if (strncmp(text, "quiet", 5) == 0 && !freopen("/dev/null", "w", stdout))
        exit(1);
    else if (strncmp(text, "stat", 4) == 0)
        printf("stat %lld %llu %lld %d\n", (long long)(wall_us() - h->wall_start_us), us(h), (long long)h->late_us,
               untouched_stack(h));
}

/* Reads what commands have come; waits for one if `wait`. Ends the program with its input. */
static void read_commands(struct harness *h, bool wait)
{
    static char text[2 * BYTES];
    static size_t have;
    struct pollfd input = { .fd = 0, .events = POLLIN };
    while (poll(&input, 1, wait ? -1 : 0) > 0) {
        ssize_t got = read(0, text + have, sizeof text - 1 - have);
        if (got <= 0)
            exit(0);
        have += (size_t)got;
        for (char *end; (end = memchr(text, '\n', have)) != NULL;) {
            *end = 0;
            obey(h, text);
            have -= (size_t)(end + 1 - text);
            memmove(text, end + 1, have);
            wait = false;
        }
        if (have == sizeof text - 1)
            have = 0;
    }
}

/* ------------------------------------------------------------------------------------------------------ */

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) { (void)avr, (void)cycles; }

static void start_avr(struct harness *h, const char *elf)
{
    elf_firmware_t firmware = { 0 };
    if (elf_read_firmware(elf, &firmware) != 0)
        exit(1);
    strcpy(firmware.mmcu, "atmega328p");
    firmware.frequency = MHZ * 1000000;
    avr_t *avr = h->avr = avr_make_mcu_by_name(firmware.mmcu);
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->log = LOG_ERROR;
    avr->sleep = no_sleep;
    avr->avcc = avr->vcc = 5000;
    avr->run_cycle_limit = QUANTUM / 4;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), IOPORT_IRQ_DIRECTION_ALL),
                            on_port_b_direction, h);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_REG_PORT), on_port_c, h);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart_out, h);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_uart_xon, h);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_uart_xoff, h);
    reset(h, true);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, SUPPLY_CHANNEL), 2500);
}

static void open_line(struct harness *h)
{
    char name[128];
    struct termios raw;
    if (openpty(&h->line, &h->far, name, NULL, NULL) != 0)
        exit(1);
    tcgetattr(h->far, &raw);
    cfmakeraw(&raw);
    tcsetattr(h->far, TCSANOW, &raw); /* stays open here, so that the line outlives its users */
    fcntl(h->line, F_SETFL, O_NONBLOCK);
    printf("pty %s\n", name);
}

static void go_on(struct harness *h, avr_cycle_count_t until)
{
    while (h->avr->cycle < until) {
        int state = avr_run(h->avr);
        if (!h->started && h->avr->data[TCCR1B]) {
            h->started = true;
            printf("started %llu\n", us(h));
        }
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("crashed\n");
            exit(2);
        }
    }
}

int main(int count, char **arguments)
{
    static struct harness h = {
        .line = -1,
        .far = -1,
        .cable = true,
        .levels = 0xFC,
        .dice = 88172645463325252u,
        .displays = { { .name = 'L', .clock = 1, .data = 2, .clock_high = true, .data_high = true },
                      { .name = 'R', .clock = 4, .data = 16, .clock_high = true, .data_high = true } },
    };
    if (count < 3)
        return 2;
    h.ppm = count > 3 ? atoi(arguments[3]) : 0;
    bool paced = strcmp(arguments[2], "paced") == 0;
    setvbuf(stdout, NULL, paced ? _IOLBF : _IOFBF, 1 << 16);
    start_avr(&h, arguments[1]);
    if (paced)
        open_line(&h);
    h.wall_start_us = wall_us();
    printf("ready %lld\n", (long long)h.wall_start_us);
    fflush(stdout);
    avr_cycle_count_t next = 0;
    for (;;) {
        bool done = !paced && h.avr->cycle >= h.run_until;
        if (done && h.run_until) {
            printf("ran %llu\n", us(&h));
            h.run_until = 0;
        }
        fflush(stdout);
        read_commands(&h, done);
        if (!paced && h.avr->cycle >= h.run_until)
            continue;
        pump(&h);
        next = h.avr->cycle + QUANTUM;
        go_on(&h, paced || next < h.run_until ? next : h.run_until);
        pump(&h);
        int64_t ahead = (int64_t)us(&h) - (wall_us() - h.wall_start_us);
        if (paced && ahead > 0)
            usleep((useconds_t)ahead);
        else if (paced && -ahead > h.late_us)
            h.late_us = -ahead;
    }
}
