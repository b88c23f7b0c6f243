"""The real RPi.GPIO extension, compiled here, over a file that stands for the registers of a Raspberry Pi."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

from hw.ports import MatrixSettings

pytestmark = pytest.mark.hil

CHECKOUT = Path(__file__).parents[3]
CACHE = CHECKOUT / ".cache" / "hil"
PACKAGE = "RPi.GPIO==0.7.1"
_CPUINFO = (
    "processor\t: 0\n\nHardware\t: BCM2711\nRevision\t: c03114\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n"
)
_PRIVATE = ("unshare", "--mount", "--propagation", "private")
_NAMESPACE = """set -e
mount -t tmpfs dev /dev
mknod /dev/null c 1 3
mknod /dev/urandom c 1 9
cp "$1" /dev/gpiomem
mount --bind "$2" /proc/cpuinfo
shift 2
exec "$@"
"""
Facts = dict[str, object]


def library() -> Path:
    """A folder with the compiled extension; skips with what is lacking."""
    folder = CACHE / f"{PACKAGE.replace('==', '-')}-{sysconfig.get_config_var('SOABI')}"
    if folder.exists():
        return folder
    if shutil.which("cc") is None:
        pytest.skip("RPi.GPIO cannot be compiled: not installed here: gcc")
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        pytest.skip("RPi.GPIO cannot be compiled: not installed here: python3-dev")
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=CACHE))
    fresh.chmod(0o755)
    # The source defines its variables in a header, as compilers allowed until 2020.
    ran = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(fresh), PACKAGE],
        env={**os.environ, "CFLAGS": "-fcommon"},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        shutil.rmtree(fresh)
        pytest.skip(f"{PACKAGE} cannot be had or compiled: {ran.stderr.strip()[-300:]}")
    fresh.rename(folder)
    return folder


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    """What the program in the private namespace saw."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("a private mount namespace needs root and unshare (util-linux)")
    tried = subprocess.run([*_PRIVATE, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        # As in a plain chroot, whose root is no mount of its own.
        pytest.skip(f"a private mount namespace cannot be had here: {tried.stderr.strip()}")
    folder = tmp_path_factory.mktemp("registers")
    (folder / "gpiomem").write_bytes(bytes(4096))
    (folder / "cpuinfo").write_text(_CPUINFO, encoding="ascii")
    ran = subprocess.run(
        [
            *(*_PRIVATE, "sh", "-c", _NAMESPACE, "sh"),
            *(str(folder / "gpiomem"), str(folder / "cpuinfo")),
            *(sys.executable, str(Path(__file__).with_name("registers.py"))),
        ],
        env={**os.environ, "PYTHONPATH": f"{CHECKOUT}:{library()}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    found: Facts = json.loads(ran.stdout)
    print(found)
    return found


def test_200_random_boards_are_read_right(facts: Facts) -> None:
    assert facts["wrong"] == 0


def test_one_row_at_a_time_is_driven_and_driven_low(facts: Facts) -> None:
    assert facts["wrongs"] == []


def test_a_missing_diode_shows_its_ghost(facts: Facts) -> None:
    assert facts["ghosts"] == 1 << 1


def test_between_scans_every_row_floats_and_every_column_is_pulled_up(facts: Facts) -> None:
    settings = MatrixSettings()
    assert facts["rows"] == [0] * len(settings.rows) and facts["row_pulls"] == [0] * 8
    assert facts["columns"] == [0] * len(settings.columns) and facts["column_pulls"] == [1] * 8


def test_a_closed_driver_leaves_inputs_without_pulls(facts: Facts) -> None:
    assert facts["functions_after"] == [0] * 16 and facts["pulls_after"] == [0] * 16
