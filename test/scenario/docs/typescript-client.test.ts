import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import openapiTs, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestApi } from '../../support/api/test-api.ts';

const folder = join(packageRoot, 'examples', 'typescript-client');
const cli = useTestApi({ workers: true });

test('types of the TypeScript example match the committed document: `npm run openapi` writes both', async () => {
  const document = readFileSync(join(packageRoot, 'docs', 'openapi.json'), 'utf8');
  const generated = astToString(await openapiTs(document));
  expect(readFileSync(join(folder, 'schema.ts'), 'utf8')).toContain(generated.trim());
});

test('the TypeScript example searches, uploads a batch and waits for it', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', join(folder, 'search.ts')], {
    cwd: packageRoot,
    env: { ...process.env, NIGHTSHIFT_URL: cli().url, NIGHTSHIFT_API_KEY: await cli().createKey() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^Nike, Inc\.: \d+ ads, 0\.2 credits\nbat_[0-9a-f]{32}: [12] of 2 companies run ads\n$/,
  );
});
