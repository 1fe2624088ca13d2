import { createRateMeter } from '../../core/batches/measure-rate.ts';
import type { Output } from './output.ts';
import { columnsOfText, roomIn } from './status-line.ts';

/** Progress of long work, on stderr. */
export interface Progress {
  /** `done` of `total` (null while unknown), and what stands beside it. On a narrow terminal the middle parts are left out first. */
  show(done: number, total: number | null, parts: readonly string[]): void;
  /** A reason to wait, at once and in a line of its own. */
  note(message: string): void;
  /** The line that stays when the work succeeds. Default: none. */
  finish(message: string): void;
}

const plainLineEveryMs = 5000;
const redrawEveryMs = 120;
const frames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const barColumns = 16;
/** Narrower terminals have no room for a bar beside the counts. */
const columnsWithBar = 97;

/**
 * Shows progress while `run` works: one line that is redrawn on a terminal; elsewhere a plain line every few seconds; nothing with
 * `--json`. The display ends with the work, however that ends.
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
  // Nothing waits for the next frame: the process ends with its work.
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

/** The parts in one line. Of those that do not fit, the ones in the middle go first: the first counts, the last says how long. */
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

/** Formats the rate of the work and the time that remains, measured over the last while. */
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

/** `45 s`, `12 min`, `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
