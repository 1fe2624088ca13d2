import { describe, onTestFinished, test } from 'vitest';
import { expectBatchOutlasts, expectTicksOutlast } from '../../support/faults/failover-audit.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { startSentinels } from '../../support/queue/redis-sentinels.ts';
import { findRedisProgram } from '../../support/queue/test-redis.ts';

/** The first master is killed, the second frozen, and so on. */
const failovers = randomRuns(20, 2);
const name = 'Redis with Sentinel';

describe.skipIf(findRedisProgram() === undefined)(
  'failover by Sentinel (not run without redis-server)',
  () => {
    test('delays a batch, and nothing is lost or charged twice', { timeout: 1_200_000 }, async () => {
      const redis = await startSentinels();
      onTestFinished(redis.close);
      await expectBatchOutlasts({ redis, name, failovers });
    });

    test('delays the tick of a schedule, which becomes one scan', { timeout: 1_200_000 }, async () => {
      const redis = await startSentinels();
      onTestFinished(redis.close);
      await expectTicksOutlast({ redis, name, failovers });
    });
  },
);
