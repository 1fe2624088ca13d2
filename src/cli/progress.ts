import { progress as drawBar } from '@clack/prompts';
import { createRateMeter } from '../core/batch/measure-rate.ts';
import type { Output } from './output.ts';

/** Progress of long work, on stderr. */
export interface Progress {
  /** `done` of `total` (null while unknown) and what to say beside it. */
  show(done: number, total: number | null, message: string): void;
  /** Says at once what it waits for. */
  note(message: string): void;
  /** Ends it with a last line. */
  end(message: string): void;
}

const plainLineEveryMs = 5000;

/** A bar on a terminal; elsewhere a plain line every few seconds; nothing with `--json`. */
export function startProgress(output: Output, title: string): Progress {
  if (output.isJson) return { show: () => undefined, note: () => undefined, end: () => undefined };
  return output.isInteractive ? startBar(output, title) : startLines(output, title);
}

function startBar(output: Output, title: string): Progress {
  const steps = 1000;
  const bar = drawBar({ max: steps, output: output.stderr, withGuide: false });
  let shown = 0;
  bar.start(title);
  return {
    show(done, total, message) {
      const now = total === null || total === 0 ? 0 : Math.floor((done / total) * steps);
      bar.advance(Math.max(0, now - shown), `${title}: ${message}`);
      shown = Math.max(shown, now);
    },
    note: (message) => bar.advance(0, `${title}: ${message}`),
    end: (message) => bar.stop(`${title}: ${message}`),
  };
}

function startLines(output: Output, title: string): Progress {
  let saidAtMs = performance.now();
  return {
    show(_done, _total, message) {
      if (performance.now() - saidAtMs < plainLineEveryMs) return;
      saidAtMs = performance.now();
      output.note(`${title}: ${message}`);
    },
    note: (message) => output.note(`${title}: ${message}`),
    end: (message) => output.note(`${title}: ${message}`),
  };
}

/** How fast the work goes and how long the rest takes, measured over the last while. */
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
