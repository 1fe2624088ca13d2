import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../../src/package-root.ts';
import type { Environment } from '../cli/nightshift-process.ts';

/** A service of `docker-compose.yml`, with the fields that tests read. */
export interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly cap_drop: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt: readonly string[];
  readonly read_only?: boolean;
  readonly user?: string;
  readonly privileged?: boolean;
  readonly ports?: readonly string[];
}

/**
 * Reads the services of `docker-compose.yml` and substitutes the variables of an `.env` file: `${NAME:?text}` and
 * `${NAME:-default}`, as Compose does (Compose specification, "Interpolation").
 *
 * @throws Error when a required variable is not set.
 */
export function readCompose(variables: Environment): Readonly<Record<string, ComposeService>> {
  const text = readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8');
  const filled = text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = variables[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return rest;
  });
  const { services } = parse(filled, { merge: true }) as { services: Record<string, ComposeService> };
  return services;
}

/** Environment of a container: its file, overridden by the service. */
export function environmentOf(
  { environment, env_file: files }: ComposeService,
  env: Environment,
): Environment {
  return { ...(files === undefined ? {} : env), ...environment };
}

/** Parses the variables of an `.env` file of `NAME=value` lines. */
export function parseEnvironmentFile(text: string): Environment {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
