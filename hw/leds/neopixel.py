"""The strip of 64 WS2812B pixels, by Adafruit's libraries: over SPI (GPIO 10, no root) or PWM (root).

The only module that imports `neopixel`, `neopixel_spi` and `board`. Colors go out as green, red, blue. A
frame takes 2.1 ms on the wire: call `show` from a thread that nothing waits for.
"""

from typing import Protocol, Self

from hw.errors import Fault, Unavailable
from hw.leds.frame import DARK
from hw.ports import FRAME_BYTES, PIXELS, PixelSettings

_BYTE_ORDER = "GRB"
_FAULTS = (RuntimeError, OSError, ValueError)


class AdafruitStrip(Protocol):
    """What is used of Adafruit's `NeoPixel` and `NeoPixel_SPI` objects."""

    def __setitem__(self, pixels: slice, colors: list[tuple[int, int, int]], /) -> None:
        """Set colors without showing them."""

    def show(self) -> None:
        """Send all colors."""

    def deinit(self) -> None:
        """Darken and release the strip."""


class NeoPixels:
    """`Pixels` over an Adafruit strip object."""

    def __init__(self, strip: AdafruitStrip) -> None:
        """Darken the strip. Raises `Fault` if it cannot be written."""
        self._strip = strip
        self._shown: bytes | None = None
        self._open = True
        self.show(DARK)

    def show(self, frame: bytes) -> None:
        """See `Pixels`."""
        if len(frame) != FRAME_BYTES:
            raise ValueError(f"a frame has {FRAME_BYTES} bytes, not {len(frame)}")
        if not self._open:
            raise Fault("the strip has been closed")
        if frame == self._shown:
            return
        # Forgotten first: after a failed frame nobody knows what the strip shows.
        self._shown = None
        try:
            self._strip[0:PIXELS] = list(zip(frame[::3], frame[1::3], frame[2::3], strict=True))
            self._strip.show()
        except _FAULTS as error:
            raise Fault(f"the strip of pixels cannot be written ({error})") from error
        self._shown = frame

    def close(self) -> None:
        """See `Pixels`."""
        if self._open:
            self._open = False
            try:
                self._strip.deinit()
            except _FAULTS as error:
                raise Fault(f"the strip of pixels could not be darkened ({error})") from error


class NeoPixelsOverSpi(NeoPixels):
    """The default: data on GPIO 10, by neopixel_spi."""

    @classmethod
    def open(cls, _settings: PixelSettings) -> Self:
        """Open the SPI bus and darken the strip. Raises `Unavailable`."""
        try:
            import board
            import neopixel_spi
        except (ImportError, NotImplementedError, RuntimeError) as error:
            raise _no_library("neopixel_spi", error) from error
        try:
            strip = neopixel_spi.NeoPixel_SPI(
                board.SPI(), PIXELS, pixel_order=_BYTE_ORDER, auto_write=False, brightness=1.0
            )
            return cls(strip)
        except (*_FAULTS, AttributeError, Fault) as error:
            raise Unavailable(
                f"the strip on SPI will not open ({error}): turn SPI on (raspi-config, or dtparam=spi=on in "
                "config.txt), restart, and check that this user is in the group spi"
            ) from error


class NeoPixelsOverPwm(NeoPixels):
    """Data on GPIO 12 or 18 (PWM) or 21 (PCM), by neopixel; needs root."""

    @classmethod
    def open(cls, settings: PixelSettings) -> Self:
        """Claim the pin and darken the strip. Raises `Unavailable`."""
        try:
            import board
            import neopixel
        except (ImportError, NotImplementedError, RuntimeError) as error:
            raise _no_library("neopixel_pwm", error) from error
        try:
            strip = neopixel.NeoPixel(
                getattr(board, f"D{settings.pin}"),
                PIXELS,
                pixel_order=_BYTE_ORDER,
                auto_write=False,
                brightness=1.0,
            )
            return cls(strip)
        except (*_FAULTS, AttributeError, Fault) as error:
            raise Unavailable(
                f"the strip on GPIO {settings.pin} will not open ({error}): PWM needs root and GPIO 12, 18 "
                'or 21; SPI needs neither: leds.backend = "neopixel_spi"'
            ) from error


def _no_library(backend: str, error: Exception) -> Unavailable:
    # Blinka explains itself over several lines: the first sentence is enough.
    why = " ".join(str(error).split()).partition(". ")[0]
    return Unavailable(
        f"the libraries of the {backend} backend cannot be loaded ({why}): install crownhead[pi] on "
        'a Raspberry Pi, or do without lights with leds.backend = "none"'
    )
