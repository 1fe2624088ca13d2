import { ok, warning, type Finding } from './check-result.ts';

/** Reading of a server's clock between two moments of ours; all in milliseconds since 1970. */
export interface ClockReading {
  readonly askedAtMs: number;
  readonly theirsMs: number;
  readonly answeredAtMs: number;
}

/** Leases go by the database's clock, schedules and prices too: beyond this a person would notice. Our choice. */
const apartMsMax = 2000;

/** Holds a server's clock against ours. The time on the way counts in its favour. */
export function evaluateClock(server: string, { askedAtMs, theirsMs, answeredAtMs }: ClockReading): Finding {
  const name = `clock of ${server}`;
  const apartMs = theirsMs - (askedAtMs + answeredAtMs) / 2;
  const surelyMs = Math.abs(apartMs) - (answeredAtMs - askedAtMs) / 2;
  if (surelyMs <= apartMsMax) return ok(name, `within ${tenths(Math.max(surelyMs, 100))} s of ours`);
  return warning(
    name,
    `${tenths(Math.abs(apartMs))} s ${apartMs > 0 ? 'ahead of' : 'behind'} ours`,
    'Have both machines keep time by NTP: `timedatectl set-ntp true`.',
  );
}

function tenths(ms: number): string {
  return (ms / 1000).toFixed(1);
}
