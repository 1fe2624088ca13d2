import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { spawnSourceStandIn, type SpawnedStandIn } from '../stand-in/spawn-source-stand-in.ts';
import { temporaryFolder } from './loaded-batch.ts';

/** Starts the stand-in of a source that has one effect per request key and logs its calls. The end of the test ends it. */
export async function openLoggedSource(latencyMs = { min: 20, max: 200 }): Promise<SpawnedStandIn> {
  const logFile = join(temporaryFolder(), 'calls.ndjson');
  const standIn = await spawnSourceStandIn({ logFile, idempotent: true, latencyMs });
  onTestFinished(standIn.close);
  return standIn;
}
