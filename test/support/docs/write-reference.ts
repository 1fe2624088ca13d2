import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { packageRoot } from '../../../src/package-root.ts';
import { inTemplate, openTestPostgres } from '../db/test-postgres.ts';
import { databasePages, offlinePages } from './reference/pages.ts';

// `npm run docs` writes docs/reference and docs/architecture/retries.md.
for (const [file, pageText] of Object.entries(offlinePages)) writePage(file, pageText());
const server = await openTestPostgres();
const pool = new pg.Pool({ connectionString: inTemplate(server.url) });
try {
  for (const [file, pageText] of Object.entries(databasePages)) writePage(file, await pageText(pool));
} finally {
  await pool.end();
  await server.close();
}

function writePage(file: string, text: string): void {
  writeFileSync(join(packageRoot, file), text);
  process.stdout.write(`${file}\n`);
}
