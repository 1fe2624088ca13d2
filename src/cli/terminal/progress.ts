import { createRateMeter } from '../../core/batches/measure-rate.ts';
import type { Output } from './output.ts';
import { columnsOfText, roomIn } from './status-line.ts';

/** Progress of long work, on stderr. */
export interface Progress {
  /** Shows `done` of `total` (null while unknown) and the parts. A narrow terminal drops the middle parts first. */
  show(done: number, total: number | null, parts: readonly string[]): void;
  /** Prints a message immediately, on a separate line. */
  note(message: string): void;
  /** Sets the line that stays when the work succeeds. Default: none. */
  finish(message: string): void;
}

const plainLineEveryMs = 5000;
const redrawEveryMs = 120;
const frames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const barColumns = 16;
/** Width below which there is no room for a bar beside the counts. */
const columnsWithBar = 97;

/**
 * Shows progress while `run` works: one redrawn line on a terminal, elsewhere a plain line every few seconds, nothing with `--json`. The
 * display is closed when the work ends or fails.
 */
export async function withProgress<T>(
  output: Output,
  title: string,
  run: (progress: Progress) => Promise<T>,
): Promise<T> {
  const last: { message?: string } = {};
  const display = openDisplay(output, title);
  let result: T;
  try {
    result = await run({ ...display, finish: (message) => void (last.message = message) });
  } finally {
    display.close();
  }
  if (last.message !== undefined) output.note(`${title}: ${last.message}`);
  return result;
}

type Display = Pick<Progress, 'show' | 'note'> & { readonly close: () => void };

function openDisplay(output: Output, title: string): Display {
  if (output.isJson) return { show: () => undefined, note: () => undefined, close: () => undefined };
  return output.isInteractive ? openLine(output, title) : openLines(output, title);
}

function openLine({ status, note, columns }: Output, title: string): Display {
  let frame = 0;
  let now: { readonly share: number | null; readonly parts: readonly string[] } = { share: null, parts: [] };

  function draw(): void {
    frame = (frame + 1) % frames.length;
    const room = roomIn(columns());
    const bar = now.share === null || room < columnsWithBar ? '' : ` ${barOf(now.share)}`;
    const head = `${frames[frame] ?? ''} ${title}${bar}${now.parts.length === 0 ? ' …' : ': '}`;
    status.show(`${head}${fitParts(now.parts, room - columnsOfText(head))}`);
  }

  draw();
  // The timer does not keep the process alive.
  const timer = setInterval(draw, redrawEveryMs).unref();
  return {
    show: (done, total, parts) => {
      now = { share: total === null || total === 0 ? null : done / total, parts };
    },
    note: (message) => note(`${title}: ${message}`),
    close: () => {
      clearInterval(timer);
      status.show(null);
    },
  };
}

function barOf(share: number): string {
  const full = Math.max(0, Math.min(barColumns, Math.floor(share * barColumns)));
  return '━'.repeat(full) + '╌'.repeat(barColumns - full);
}

/** Joins the parts in one line of at most `columns`. Drops middle parts first: the first part counts, the last has the time left. */
export function fitParts(parts: readonly string[], columns: number): string {
  const line = parts.join(', ');
  if (parts.length <= 2 || columnsOfText(line) <= columns) return line;
  return fitParts([...parts.slice(0, 1), ...parts.slice(2)], columns);
}

function openLines({ note }: Output, title: string): Display {
  let printedAtMs = performance.now();
  return {
    show(_done, _total, parts) {
      if (performance.now() - printedAtMs < plainLineEveryMs) return;
      printedAtMs = performance.now();
      note(`${title}: ${parts.join(', ')}`);
    },
    note: (message) => note(`${title}: ${message}`),
    close: () => undefined,
  };
}

/** Creates a function that formats the current rate of the work and the time left. */
export function createRate(nowMs: () => number): (done: number, total: number) => string {
  const meter = createRateMeter(nowMs);
  return (done, total) => {
    meter.note(done);
    const perSecond = meter.perSecond();
    return perSecond === null
      ? ''
      : `${formatRate(perSecond)}, ${formatDuration((total - done) / perSecond)} left`;
  };
}

function formatRate(perSecond: number): string {
  return perSecond >= 10 ? `${Math.round(perSecond).toLocaleString('en')}/s` : `${perSecond.toFixed(1)}/s`;
}

/** Formats seconds for people: `45 s`, `12 min`, `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
