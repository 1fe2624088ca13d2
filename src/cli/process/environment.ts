import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { settingsWith } from '../../config/settings.ts';
import { parseSourceMaps } from '../../config/source-maps.ts';
import { createSourceCatalog } from '../../sources/registry.ts';
import { Misconfigured } from '../../core/errors.ts';

/**
 * Reads the environment. Variables of `.env` in the working folder apply if they are not set, and `NAME_FILE` is read for `NAME`.
 *
 * @throws Misconfigured when such a file cannot be read or is empty, or both forms are given.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv): Readonly<Record<string, string | undefined>> {
  if (existsSync('.env')) loadEnvFile('.env');
  const environment: Record<string, string | undefined> = { ...variables };
  for (const name of secretsOf(environment)) {
    const path = environment[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if ((environment[name] ?? '') !== '')
      throw new Misconfigured(`${name} and ${name}_FILE are both set. Set only one of them.`);
    environment[name] = readSecret(name, path);
    environment[`${name}_FILE`] = undefined;
  }
  return environment;
}

/** Settings that can also be read from a file, because container platforms pass secrets this way. */
function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { liveSources } = createSourceCatalog(parseSourceMaps(environment).maps);
  return settingsWith(liveSources).flatMap(({ name, secret }) => (secret ? [name] : []));
}

function readSecret(name: string, path: string): string {
  const text = readText(name, path).trim();
  if (text === '') throw new Misconfigured(`${name}_FILE: the file ${path} is empty.`);
  return text;
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Misconfigured(
      `${name}_FILE: the file ${path} cannot be read. Check the path and its permissions.`,
      { cause },
    );
  }
}
