// One line to the daemon for one audience, kept up: what it hears, and whether it is alive.

/** Lines of the log that a page keeps. */
export const MOST_LINES = 20000;

/** The daemon sends something each 10 s; a line that is silent for longer is dead, whatever the browser says. */
export const SILENCE_MS = 15000;

/**
 * Open a line. `tell` is called with `{is: "told", told}` for what is new, `{is: "beat", now}` for a sign of life,
 * `{is: "lost", refused}` when the line is dead or was refused; it is opened anew by itself. Returns what closes it.
 */
export function openLine(audience, tell) {
  let source = null;
  let heard = 0;
  let again = 0;
  function open() {
    again = 0;
    heard = performance.now();
    source = new EventSource(`/api/stream/${audience}`);
    source.onmessage = (event) => { heard = performance.now(); tell({ is: "told", told: JSON.parse(event.data) }); };
    source.addEventListener("beat", (event) => { heard = performance.now(); tell({ is: "beat", now: JSON.parse(event.data).now }); });
    source.onerror = () => reopen(source.readyState === EventSource.CLOSED);
  }
  function reopen(refused) {
    source.close();
    tell({ is: "lost", refused });
    clearTimeout(again);
    again = setTimeout(open, refused ? 2000 : 1000);
  }
  const watch = setInterval(() => { if (performance.now() - heard > SILENCE_MS) { heard = performance.now(); reopen(false); } }, 1000);
  open();
  return () => {
    clearInterval(watch);
    clearTimeout(again);
    source.close();
  };
}
