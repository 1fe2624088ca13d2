import type { BundledLibrary } from '../../postgres-server/index.ts';
import { ok, warning, type Finding } from './check-result.ts';

/** Build and limits of a private server. */
export interface BuildInfo {
  readonly libraries: readonly BundledLibrary[];
  /** True when an account has a database login: it can reach libxml2 by statements that need no privilege, such as XMLTABLE. */
  readonly hasLogins: boolean;
  /** Memory limit of a process of the server, in bytes; null for none. */
  readonly memoryLimit: number | null;
  readonly platform: NodeJS.Platform;
}

/** Checks the libraries of the private server, and its memory limit. */
export function evaluateBuild({
  libraries,
  hasLogins,
  memoryLimit,
  platform,
}: BuildInfo): readonly Finding[] {
  return [evaluateLibraries(libraries, hasLogins), evaluateMemory(memoryLimit, platform)];
}

function evaluateLibraries(libraries: readonly BundledLibrary[], hasLogins: boolean): Finding {
  const name = 'libraries of Postgres';
  if (libraries.length === 0) return ok(name, 'from the operating system');
  const found = `${libraries.map((each) => `${each.name} ${each.version}`).join(', ')}, from the npm package, without security updates`;
  const remedy =
    'Postgres of a distribution uses the libraries of the system: install it (Debian and Ubuntu: `apt install postgresql`), create a database, and set DATABASE_URL.';
  if (!hasLogins) return ok(name, `${found}. ${remedy}`);
  return warning(name, `${found}; logins of accounts can reach them through XML functions`, remedy);
}

function evaluateMemory(memoryLimit: number | null, platform: NodeJS.Platform): Finding {
  const name = 'memory of Postgres';
  if (memoryLimit !== null)
    return ok(name, `limited to ${Math.round(memoryLimit / 2 ** 20)} MiB per process`);
  if (platform !== 'linux')
    return ok(name, 'no limit, because this system has none: give keys and logins only to people you trust');
  return warning(
    name,
    'no limit, so that one query can use all memory of the machine: an earlier version started the server',
    'Restart it while nothing is running: `nightshift stop`, then any command.',
  );
}
