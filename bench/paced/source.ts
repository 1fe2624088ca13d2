import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import { spawnSourceStandIn } from '../../test/support/stand-in/spawn-source-stand-in.ts';
import { worstSlidingSecond } from '../../test/support/stand-in/stand-in-log.ts';
import { expectEqual } from '../support/expect.ts';

/** Rate limit of the source. */
export const limit = { requestsPerSecond: 50, burst: 10 } as const;

/** A source in its own process that enforces its limit and counts calls. */
export interface CountingSource {
  readonly url: string;
  readonly key: string;
  readonly limit: typeof limit;
  /** Ends it. @throws Error when it received another number of calls, or too many per second. */
  readonly evaluate: (calls: number) => Promise<PacedRun>;
}

/** Counts of a source. */
export interface PacedRun {
  /** Share of the calls that the limit allows from the first to the last. */
  readonly share: number;
  /** Average milliseconds from one call to the next. */
  readonly msPerCall: number;
  /** Maximum number of calls in any second. */
  readonly worstSecond: number;
}

export async function openCountingSource(
  folder: string,
  name: string,
  closers: Closers,
): Promise<CountingSource> {
  const standIn = await spawnSourceStandIn({
    logFile: join(folder, `${name}.ndjson`),
    latencyMs: { min: 20, max: 200 },
    rateLimit: limit,
  });
  closers.add(standIn, (opened) => opened.close());
  return {
    url: standIn.url,
    key: standIn.key,
    limit,
    evaluate: async (calls) => {
      await standIn.close();
      const log = standIn.readLog();
      expectEqual('Calls that the source answered', log.filter(({ status }) => status === 200).length, calls);
      expectEqual('Calls that the source saw', log.length, calls);
      const spanMs = (log.at(-1)?.at ?? 0) - (log[0]?.at ?? 0);
      return {
        share: (calls - 1) / ((spanMs / 1000) * limit.requestsPerSecond),
        msPerCall: spanMs / (calls - 1),
        worstSecond: worstSlidingSecond(log),
      };
    },
  };
}
