import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../../../src/api/docs/openapi.ts';
import { createOfflineApi } from './offline-api.ts';

/** Path of the committed document. */
export const documentFile = join(import.meta.dirname, '../../../docs/openapi.json');

/** The committed document. */
export function readCommittedDocument(): unknown {
  return JSON.parse(readFileSync(documentFile, 'utf8')) as unknown;
}

// `npx tsx test/support/openapi/write-document.ts` regenerates docs/openapi.json.
if (process.argv[1] === import.meta.filename) {
  const text = JSON.stringify(openApiDocument(createOfflineApi()), null, 2);
  const style = await resolveConfig(documentFile);
  writeFileSync(documentFile, await format(text, { ...style, filepath: documentFile }));
}
