import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';
import { inTemplate, openTestPostgres, withClient } from '../db/test-postgres.ts';
import { databasePages, offlinePages } from './reference/pages.ts';

// `npm run docs` writes docs/reference and docs/architecture/retries.md.
for (const [file, pageText] of Object.entries(offlinePages)) writePage(file, pageText());
const server = await openTestPostgres();
try {
  // One connection, not a pool: `pool.end` does not wait for its connections, and a server that stops meanwhile ends the process.
  await withClient(inTemplate(server.url), async (client) => {
    for (const [file, pageText] of Object.entries(databasePages)) writePage(file, await pageText(client));
  });
} finally {
  await server.close();
}

function writePage(file: string, text: string): void {
  writeFileSync(join(packageRoot, file), text);
  process.stdout.write(`${file}\n`);
}
