"""Plain fakes of the three hardware libraries: they behave as the things behind them do."""

from hw.matrix.simulated import SimulatedMatrix, columns_low


class FakeGpio:
    """RPi.GPIO over a simulated matrix, with the columns' rise in time.

    It holds the driver to the wiring: a row is driven low and never high, one at a time; a pin is set up
    before it is read; columns have pull-ups. `now_ns` passes only in `settle`, which stands in for the
    driver's own wait.
    """

    BCM, IN, OUT, LOW, HIGH, PUD_OFF, PUD_UP = 11, 1, 0, 0, 1, 20, 22

    def __init__(
        self, matrix: SimulatedMatrix, rows: tuple[int, ...], columns: tuple[int, ...], rise_ns: int = 15_000
    ) -> None:
        self.matrix = matrix
        self.bare = 0
        self.now_ns = 0
        self.calls = 0
        self.cleaned: list[int] = []
        self.broken: Exception | None = None
        self._rows = {pin: row for row, pin in enumerate(rows)}
        self._columns = {pin: column for column, pin in enumerate(columns)}
        self._rise_ns = rise_ns
        self._mode = 0
        self._pulled_up: set[int] = set()
        self._driven: int | None = None
        self._low = 0
        self._let_go_ns = [-rise_ns] * 8

    def setmode(self, mode: int, /) -> None:
        self._mode = mode

    def setwarnings(self, on: bool, /) -> None:
        assert on is False

    def setup(
        self, pin: int, direction: int, pull_up_down: int = PUD_OFF, initial: int | None = None
    ) -> None:
        self._called()
        if pin in self._columns:
            assert (direction, pull_up_down) == (self.IN, self.PUD_UP)
            self._pulled_up.add(pin)
            return
        assert pull_up_down == self.PUD_OFF
        row = self._rows[pin]
        if direction == self.OUT:
            assert initial == self.LOW, "a row must never be driven high"
            assert self._driven is None, "two rows must never be driven at once"
            self._drive(row)
        else:
            assert initial is None
            if self._driven == row:
                self._drive(None)

    def input(self, pin: int, /) -> int:
        self._called()
        assert pin in self._pulled_up, "a column is read before it is set up"
        column = self._columns[pin]
        rising = self.now_ns - self._let_go_ns[column] < self._rise_ns
        return 0 if rising or self._low >> column & 1 else 1

    def cleanup(self, pins: list[int], /) -> None:
        self.cleaned += pins

    def settle(self, settle_ns: int) -> None:
        """Stands in for the driver's wait."""
        self.now_ns += settle_ns

    def _drive(self, row: int | None) -> None:
        for column in range(8):
            if self._low >> column & 1:
                self._let_go_ns[column] = self.now_ns
        self._driven = row
        self._low = 0 if row is None else columns_low(self.matrix.read(self.now_ns), self.bare, row)

    def _called(self) -> None:
        self.calls += 1
        if self.broken is not None:
            raise self.broken
        assert self._mode == self.BCM


class LgpioError(Exception):
    """As `lgpio.error` is: of no other family."""


class FakeLgpio:
    """lgpio over a simulated matrix: one group of open-drain rows, one of pulled-up columns.

    It holds the driver to the wiring as `FakeGpio` does; `chips` are the labels of /dev/gpiochip0 and so on.
    """

    SET_OPEN_DRAIN, SET_PULL_UP, SET_PULL_NONE = 8, 32, 128
    error = LgpioError

    def __init__(
        self,
        matrix: SimulatedMatrix,
        rows: tuple[int, ...],
        columns: tuple[int, ...],
        chips: tuple[str, ...] = ("pinctrl-rp1",),
    ) -> None:
        self.matrix = matrix
        self.bare = 0
        self.calls = 0
        self.broken = False
        self.open_chips: list[int] = []
        self.low: set[int] = set()
        self._rows, self._columns = rows, columns
        self._chips = chips
        self._levels = 0xFF
        self._claimed: set[int] = set()

    def gpiochip_open(self, chip: int, /) -> int:
        if chip >= len(self._chips):
            raise LgpioError("can not open gpiochip")
        self.open_chips.append(chip)
        return chip

    def gpiochip_close(self, handle: int, /) -> int:
        self.open_chips.remove(handle)
        return 0

    def gpio_get_chip_info(self, handle: int, /) -> list[object]:
        return [0, 54, f"gpiochip{handle}", self._chips[handle]]

    def gpio_claim_input(self, handle: int, gpio: int, flags: int, /) -> int:
        self._called()
        assert flags == self.SET_PULL_UP
        return 0

    def gpio_read(self, handle: int, gpio: int, /) -> int:
        self._called()
        return int(gpio not in self.low)

    def group_claim_input(self, handle: int, gpio: list[int], flags: int, /) -> int:
        self._called()
        assert (tuple(gpio), flags) == (self._columns, self.SET_PULL_UP)
        self._claimed.add(gpio[0])
        return 0

    def group_claim_output(self, handle: int, gpio: list[int], levels: list[int], flags: int, /) -> int:
        self._called()
        assert (tuple(gpio), levels) == (self._rows, [1] * 8), "no row is driven at the start"
        assert flags == self.SET_OPEN_DRAIN | self.SET_PULL_NONE, "a row must never be driven high"
        self._claimed.add(gpio[0])
        return 0

    def group_read(self, handle: int, leader: int, /) -> list[int]:
        self._called()
        assert leader == self._columns[0] and leader in self._claimed
        driven = [row for row in range(8) if not self._levels >> row & 1]
        assert len(driven) == 1, "one row is read at a time"
        return [8, 0xFF ^ columns_low(self.matrix.read(0), self.bare, driven[0])]

    def group_write(self, handle: int, leader: int, bits: int, mask: int, /) -> int:
        self._called()
        assert leader == self._rows[0] and leader in self._claimed and mask == 0xFF
        self._levels = bits
        return 0

    def _called(self) -> None:
        self.calls += 1
        if self.broken:
            raise LgpioError("Input/output error")


class FakeStrip:
    """An Adafruit strip object: colors are set first and sent by `show`."""

    def __init__(self) -> None:
        self.sent: list[list[tuple[int, int, int]]] = []
        self.broken: Exception | None = None
        self.released = False
        self._colors = [(0, 0, 0)] * 64

    def __setitem__(self, pixels: slice, colors: list[tuple[int, int, int]], /) -> None:
        self._colors[pixels] = colors
        assert len(self._colors) == 64

    def show(self) -> None:
        if self.broken is not None:
            raise self.broken
        self.sent.append(list(self._colors))

    def deinit(self) -> None:
        self._colors = [(0, 0, 0)] * 64
        self.show()
        self.released = True


class FakePort:
    """A pyserial port that is one end of a pipe; `descriptor` is what `select` is asked about."""

    def __init__(self, descriptor: int) -> None:
        self.incoming = b""
        self.outgoing = b""
        self.room = 1 << 30
        self.broken: Exception | None = None
        self.closed = 0
        self._descriptor = descriptor

    def read(self, size: int, /) -> bytes:
        self._check()
        taken, self.incoming = self.incoming[:size], self.incoming[size:]
        return taken

    def write(self, data: bytes, /) -> int | None:
        self._check()
        taken = data[: self.room]
        self.outgoing += taken
        self.room -= len(taken)
        return len(taken)

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        self.closed += 1

    def _check(self) -> None:
        if self.broken is not None:
            raise self.broken
