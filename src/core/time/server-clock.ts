/** Clocks of this machine, in milliseconds. */
export interface MachineClocks {
  /** Goes on evenly, but may stop while the machine sleeps. */
  readonly monotonicMs: () => number;
  /** Shows the time of day, and jumps when it is set. */
  readonly wallMs: () => number;
}

const standardClocks: MachineClocks = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

/** A time of the server holds for this long without another look. */
const heldMsMax = 60_000;
/** Difference of the two clocks of the machine after which one of them has stopped or jumped. */
const jumpMs = 1000;

/**
 * Returns the clock of a server: its time when it was last asked, and what has passed since on this machine, whose own time of day may be
 * wrong. The server is asked again every minute, and when the machine has slept. While it does not answer, the clock goes on.
 *
 * @param readMs asks the server for its time. Its failure rejects the first call only.
 */
export function followServerClock(
  readMs: () => Promise<number>,
  { monotonicMs, wallMs }: MachineClocks = standardClocks,
): () => Promise<Date> {
  let last: { readonly theirsMs: number; readonly atMs: number; readonly offsetMs: number } | null = null;

  async function ask(): Promise<Date> {
    const theirsMs = await readMs();
    last = { theirsMs, atMs: monotonicMs(), offsetMs: wallMs() - monotonicMs() };
    return new Date(theirsMs);
  }

  return async () => {
    if (last === null) return ask();
    const { theirsMs, atMs, offsetMs } = last;
    const passedMs = monotonicMs() - atMs;
    const hasJumped = Math.abs(wallMs() - monotonicMs() - offsetMs) > jumpMs;
    if (passedMs <= heldMsMax && !hasJumped) return new Date(theirsMs + passedMs);
    return ask().catch(() => new Date(theirsMs + passedMs));
  };
}
