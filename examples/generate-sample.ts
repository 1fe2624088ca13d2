import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sampleSnapshot } from './sample-snapshot.ts';

// Run `npx tsx examples/generate-sample.ts` after a change to the generator; a test compares its file with the generator.
writeFileSync(fileURLToPath(new URL('sample-snapshot.ndjson', import.meta.url)), sampleSnapshot());
