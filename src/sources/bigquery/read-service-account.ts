import { readFile } from 'node:fs/promises';
import { Misconfigured } from '../../core/errors.ts';
import { parseServiceAccount, type ServiceAccount } from './credentials.ts';

/**
 * Reads the key file of NIGHTSHIFT_BIGQUERY_KEY_FILE.
 *
 * @throws Misconfigured when it cannot be read, and as `parseServiceAccount` does.
 */
export async function readServiceAccount(file: string): Promise<ServiceAccount> {
  return parseServiceAccount(await readText(file));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Misconfigured(
      `NIGHTSHIFT_BIGQUERY_KEY_FILE: ${file} cannot be read. Check the path and who may read it.`,
      { cause },
    );
  }
}
