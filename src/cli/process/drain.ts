import type { App } from '../../app/app.ts';
import { counted } from '../../core/events/messages/text.ts';
import type { CommandContext } from '../context/command-context.ts';
import { formatDuration, withProgress } from '../terminal/progress.ts';

const pollEveryMs = 250;

/** Runs `close` and shows what the stop is waiting for, and for how long at most. */
export function showDrain(
  { output }: Pick<CommandContext, 'output'>,
  { lookups: { callsUnderWay }, config: { graceMs } }: Pick<App, 'lookups' | 'config'>,
  close: () => Promise<unknown>,
): Promise<void> {
  const endsAtMs = performance.now() + graceMs;
  return withProgress(output, 'Stopping', async (progress) => {
    const show = () => {
      const leftS = Math.max(1, (endsAtMs - performance.now()) / 1000);
      progress.show(0, null, [waitText(callsUnderWay()), `at most ${formatDuration(leftS)} left`]);
    };
    show();
    const timer = setInterval(show, pollEveryMs).unref();
    try {
      await close();
    } finally {
      clearInterval(timer);
    }
  });
}

function waitText(calls: number): string {
  if (calls === 0) return 'waiting for running work';
  return `waiting for ${counted(calls, 'call')} in flight`;
}
