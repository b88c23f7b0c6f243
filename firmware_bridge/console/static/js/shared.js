// A worker that all pages of a browser share: one line for each audience, however many pages follow it. A browser
// has only six connections to a board, and commands need one.
import { MOST_LINES, openLine } from "/static/js/line.js";

const lines = new Map();

function open(audience) {
  const line = { ports: new Set(), sections: null, log: [], offset: 0, lost: null, close: null };
  const hear = (said) => {
    if (said.is === "lost") {
      line.lost = said;
      if (said.refused) line.sections = null;
    } else line.lost = null;
    if (said.is === "told") keep(line, said.told);
    for (const port of line.ports) port.postMessage(said);
  };
  line.open = () => { line.close = openLine(audience, hear); };
  line.open();
  lines.set(audience, line);
  return line;
}

function keep(line, { now, whole, log, ...sections }) {
  line.offset = now - performance.now();
  line.sections = whole ? sections : { ...line.sections, ...sections };
  line.log = (whole ? log : line.log.concat(log)).slice(-MOST_LINES);
}

function join(port, audience) {
  const line = lines.get(audience) ?? open(audience);
  line.ports.add(port);
  if (line.sections) port.postMessage({ is: "told", told: { ...line.sections, log: line.log, whole: true, now: performance.now() + line.offset } });
  if (!line.lost) return;
  port.postMessage(line.lost);
  // Who comes new may have signed in, or the network may be back: that is no time to wait.
  line.close();
  line.open();
}

function leave(port) {
  for (const [audience, line] of lines) {
    if (!line.ports.delete(port) || line.ports.size) continue;
    line.close();
    lines.delete(audience);
  }
}

self.addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => (data.join ? join(port, data.join) : leave(port));
});
