"""A real browser for tests: the distribution's, without a network of its own."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
_QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
)


def need_browser() -> tuple[str, str]:
    """The paths of browser and driver; skips the test where one is missing."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("no chromium and chromedriver here: apt install chromium chromium-driver")
    return browser, driver


@contextmanager
def open_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser with a new profile."""
    browser, driver = need_browser()
    options = Options()
    options.binary_location = browser
    for word in _QUIET.split():
        options.add_argument(word)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(driver))
    try:
        resize(found, "desktop")
        yield found
    finally:
        found.quit()


def resize(browser: webdriver.Chrome, size: str) -> None:
    """Look as on a phone, a tablet or a desktop."""
    width, height = SIZES[size]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size != "desktop"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def shoot(browser: webdriver.Chrome, name: str) -> Path:
    """Keep a picture of the whole page."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
    path = SHOTS / f"{name}.png"
    path.write_bytes(base64.b64decode(taken["data"]))
    return path


def complaints(browser: webdriver.Chrome) -> list[str]:
    """What the browser has logged as an error since the last time."""
    return [str(line["message"]) for line in browser.get_log("browser") if line["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


def wait(browser: webdriver.Chrome, is_so: Callable[[webdriver.Chrome], object], most_s: float = 10) -> None:
    """Wait until something is so."""
    WebDriverWait(browser, most_s, poll_frequency=0.05).until(is_so)


def find(browser: webdriver.Chrome, selector: str) -> WebElement:
    """The first element of a CSS selector, waited for."""
    wait(browser, lambda now: now.find_elements(By.CSS_SELECTOR, selector))
    return browser.find_element(By.CSS_SELECTOR, selector)


def button(browser: webdriver.Chrome, words: str, within: str = "body") -> WebElement:
    """The visible button whose text begins with these words."""
    path = f".//button[starts-with(normalize-space(.), '{words}')]"

    def there(now: webdriver.Chrome) -> list[WebElement]:
        found = now.find_element(By.CSS_SELECTOR, within).find_elements(By.XPATH, path)
        return [one for one in found if one.is_displayed()]

    wait(browser, there)
    return there(browser)[0]


def text_of(browser: webdriver.Chrome, selector: str) -> str:
    """The text of an element, empty if it is not there."""
    found = browser.find_elements(By.CSS_SELECTOR, selector)
    return found[0].text if found else ""


def tap(browser: webdriver.Chrome, *squares: str) -> None:
    """Tap squares of the Bench one after the other."""
    for square in squares:
        ActionChains(browser, duration=20).move_to_element(
            find(browser, f'.hit[data-square="{square}"]')
        ).click().pause(0.25).perform()


def drag(browser: webdriver.Chrome, origin: str, end: str) -> None:
    """Drag a piece of the Bench from square to square."""
    start, goal = (find(browser, f'.hit[data-square="{square}"]') for square in (origin, end))
    chain = ActionChains(browser, duration=120)
    chain.move_to_element(start).click_and_hold().pause(0.2).move_to_element(goal).pause(
        0.05
    ).release().perform()


def post(browser: webdriver.Chrome, path: str, asked: dict[str, Any]) -> dict[str, Any]:
    """What the page's own scripts would send."""
    script = (
        "const [path, asked, done] = arguments;"
        "import('/static/js/api.js').then((api) => api.post(path, asked))"
        ".then(done, (wrong) => done({error: String(wrong)}));"
    )
    answer: dict[str, Any] = browser.execute_async_script(script, path, asked)
    return answer


def axe_source(folder: Path) -> str:
    """The accessibility checker, from the npm registry; skips the test where it cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm here to fetch axe-core with: the accessibility check is left out")
    packed = subprocess.run(
        [npm, "pack", "axe-core@4", "--silent", "--pack-destination", str(folder)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if packed.returncode:
        pytest.skip("axe-core cannot be fetched from the npm registry: the accessibility check is left out")
    with tarfile.open(next(folder.glob("axe-core-*.tgz"))) as archive:
        source = archive.extractfile("package/axe.min.js")
        assert source is not None
        return source.read().decode()


def faults_of(browser: webdriver.Chrome, axe: str) -> list[str]:
    """What axe finds serious or worse on the page, a line each."""
    browser.execute_script(axe)
    script = (
        "const done = arguments[0]; axe.run(document).then((all) => done(JSON.stringify(all.violations)));"
    )
    found = json.loads(browser.execute_async_script(script))
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    return [
        f"{one['id']}: {node['html'][:160]}: {node['failureSummary'][:300]}"
        for one in serious
        for node in one["nodes"][:3]
    ]
