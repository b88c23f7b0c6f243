"""What the daemon must not do, one probe for each allowance of its unit. Copied into the guest; no imports of
the project.

A probe is a line of Python run under the shipped unit's own sandbox. It must fail there, and succeed when the
one allowance is widened. `both` is added in both runs, so that nothing else stands in the way (`User=root`
with all capabilities where the kernel would refuse an ordinary user in any case).
"""

from __future__ import annotations

from dataclasses import dataclass

_ANY_DEVICE = ("DevicePolicy=auto", "DeviceAllow=", "ProtectClock=no")
_ROOT = ("User=root", "Group=root", "CapabilityBoundingSet=~", "SystemCallFilter=")


@dataclass(frozen=True)
class Probe:
    """`name` is the allowance; `code` raises when it is refused; `widened` are the lines that open it."""

    name: str
    code: str
    widened: tuple[str, ...]
    both: tuple[str, ...] = ()


_LIBC = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); "

PROBES = (
    Probe("DeviceAllow", "open('/dev/tty9', 'rb', 0)", _ANY_DEVICE),
    Probe("ProtectSystem", "open('/srv/open/file', 'w')", ("ProtectSystem=no",)),
    Probe("ProtectHome", "import os; os.listdir('/home/guest')", ("ProtectHome=no",)),
    Probe("PrivateTmp", "open('/tmp/of-others')", ("PrivateTmp=no",)),
    Probe("ProtectProc", "open('/proc/1/status')", ("ProtectProc=default",)),
    Probe(
        "RestrictAddressFamilies",
        "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
        ("RestrictAddressFamilies=",),
    ),
    Probe(
        "IPAddressDeny",
        "import socket; s = socket.create_connection(('203.0.113.1', 7), 3)",
        ("IPAddressDeny=", "IPAddressAllow="),
    ),
    Probe(
        "RestrictNamespaces",
        f"{_LIBC}assert libc.unshare(0x10000000) == 0",
        ("RestrictNamespaces=no",),
        ("SystemCallFilter=",),
    ),
    Probe(
        "MemoryDenyWriteExecute",
        "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)",
        ("MemoryDenyWriteExecute=no",),
    ),
    Probe(
        "RestrictSUIDSGID",
        "import os; open('s', 'w'); os.chmod('s', 0o4755)",
        ("RestrictSUIDSGID=no",),
    ),
    Probe("LockPersonality", f"{_LIBC}assert libc.personality(0x0040000) >= 0", ("LockPersonality=no",)),
    Probe(
        "RestrictRealtime",
        "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
        ("RestrictRealtime=no",),
        ("LimitRTPRIO=10", "SystemCallFilter="),
    ),
    Probe("SystemCallFilter", f"{_LIBC}assert libc.ptrace(0, 0, 0, 0) == 0", ("SystemCallFilter=",)),
    Probe(
        "NoNewPrivileges",
        "import re; assert re.search('NoNewPrivs:.0', open('/proc/self/status').read())",
        ("NoNewPrivileges=no",),
        _ROOT,
    ),
    Probe(
        "CapabilityBoundingSet",
        "import re; assert int(re.search('CapBnd:.([0-9a-f]+)', open('/proc/self/status').read())[1], 16)",
        ("CapabilityBoundingSet=~",),
    ),
    Probe(
        "ProtectKernelTunables", "open('/proc/sys/kernel/panic', 'w')", ("ProtectKernelTunables=no",), _ROOT
    ),
    Probe("ProtectKernelLogs", "open('/dev/kmsg')", ("ProtectKernelLogs=no",), (*_ROOT, *_ANY_DEVICE)),
    Probe("ProtectKernelModules", "open('/usr/lib/modules/there')", ("ProtectKernelModules=no",)),
    Probe(
        "ProtectControlGroups",
        "import os; os.mkdir('/sys/fs/cgroup/probe'); os.rmdir('/sys/fs/cgroup/probe')",
        ("ProtectControlGroups=no", "ProtectSystem=no"),
        _ROOT,
    ),
    Probe("ProtectHostname", "import socket; socket.sethostname('probe')", ("ProtectHostname=no",), _ROOT),
    Probe(
        "ProtectClock",
        "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())",
        ("ProtectClock=no",),
        _ROOT,
    ),
    Probe(
        "UMask",
        "import os; n = str(os.getpid()); open(n, 'w'); assert os.stat(n).st_mode & 0o007",
        ("UMask=0022",),
    ),
)

PLAY = (
    ("pins", "open('/dev/gpiochip0', 'rb+', 0)", "DeviceAllow=char-gpiochip rw"),
    ("pixels", "open('/dev/spidev0.0', 'rb+', 0)", "DeviceAllow=char-spi rw"),
    (
        "clock",
        "import os; os.open('/dev/ttyS0', os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)",
        "DeviceAllow=/dev/ttyS0 rw",
    ),
)
"""What the daemon must be able to do: it works as shipped, and no longer without the one line."""


def probe_unit(shipped: str, code: str, more: tuple[str, ...] = (), without: str = "") -> str:
    """The shipped unit, made to run one line of Python once."""
    dropped = ("Type=", "NotifyAccess=", "ExecStart=", "WatchdogSec=", "Restart", "TimeoutStartSec=")
    lines = []
    for line in shipped.splitlines():
        if line == "[Install]":
            break
        if line.startswith(dropped) or line == without:
            continue
        lines.append(line)
    quoted = code.replace("%", "%%")
    start = f'/opt/crownhead/bin/python -c "{quoted}"'
    return "\n".join([*lines, "Type=oneshot", "TimeoutStartSec=20", f"ExecStart={start}", *more, ""])
