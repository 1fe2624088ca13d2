import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { Misconfigured } from '../core/errors.ts';

/** Variables whose value may stand in a file, as containers hand secrets over. */
const fileVariables = ['DATABASE_URL', 'REDIS_URL', 'NIGHTSHIFT_UPSTREAM_KEY', 'NIGHTSHIFT_READER_URL'];

/**
 * The environment with `.env` of the working folder below it, and with `NAME_FILE` read for `NAME`.
 *
 * @throws Misconfigured when such a file cannot be read, or both forms are given.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv): Readonly<Record<string, string | undefined>> {
  if (existsSync('.env')) loadEnvFile('.env');
  const environment: Record<string, string | undefined> = { ...variables };
  for (const name of fileVariables) {
    const path = environment[`${name}_FILE`];
    if (path === undefined) continue;
    if (environment[name] !== undefined)
      throw new Misconfigured(`${name} and ${name}_FILE are both set; set one.`);
    environment[name] = readSecret(name, path);
    environment[`${name}_FILE`] = undefined;
  }
  return environment;
}

function readSecret(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new Misconfigured(`${name}_FILE names ${path}, which cannot be read.`, { cause });
  }
}
