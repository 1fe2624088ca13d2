import { ok, warning, type Finding } from './check-result.ts';

/** Reading of a server's clock, with the local time before and after; all in milliseconds since 1970. */
export interface ClockReading {
  readonly askedAtMs: number;
  readonly theirsMs: number;
  readonly answeredAtMs: number;
}

/** Maximum difference of the clocks. Leases, schedules and prices use the clock of the database. Our choice. */
const apartMsMax = 2000;

/** Compares the clock of a server with the local one. The round-trip time is subtracted from the difference. */
export function evaluateClock(server: string, { askedAtMs, theirsMs, answeredAtMs }: ClockReading): Finding {
  const name = `clock of ${server}`;
  const apartMs = theirsMs - (askedAtMs + answeredAtMs) / 2;
  const surelyMs = Math.abs(apartMs) - (answeredAtMs - askedAtMs) / 2;
  if (surelyMs <= apartMsMax) return ok(name, `within ${tenths(Math.max(surelyMs, 100))} s of this machine`);
  return warning(
    name,
    `${tenths(Math.abs(apartMs))} s ${apartMs > 0 ? 'ahead of' : 'behind'} this machine`,
    'Synchronise both clocks by NTP: `timedatectl set-ntp true`.',
  );
}

function tenths(ms: number): string {
  return (ms / 1000).toFixed(1);
}
