import type { CalledSource } from '../core/sources/ad-source.ts';
import type { WaitListener } from '../core/sources/call-options.ts';
import { waitCauseOf, waitLabel, type Pause, type Throttle } from '../core/work/wait-cause.ts';
import type { Logger } from '../log.ts';

/** Logs the start of each wait of a source with its cause, once per process, and stores delays that are no pause. */
export function createWaitReporter(
  log: Pick<Logger, 'info'>,
  store: (source: CalledSource, throttle: Throttle) => Promise<void>,
): WaitListener {
  const logged = new Map<string, { readonly label: string; readonly untilMs: number }>();
  return async (source, wait) => {
    const label = labelOf(wait);
    const nowMs = Date.now();
    const before = logged.get(source.bucket);
    if (before?.label !== label || before.untilMs < nowMs) {
      const untilMs = nowMs + wait.delayMs;
      logged.set(source.bucket, { label, untilMs });
      const until = new Date(untilMs).toISOString();
      log.info({ source: source.name, cause: label, reason: wait.reason, until }, 'calls to a source wait');
    }
    if (!('kind' in wait)) await store(source, wait);
  };
}

function labelOf(wait: Pause | Throttle): string {
  const cause = 'kind' in wait ? waitCauseOf(wait.cause ?? null, wait.kind) : wait.cause;
  return waitLabel({ cause, bound: wait.bound ?? null }) ?? 'unknown';
}
