import type { BundledLibrary } from '../../postgres-server/index.ts';
import { ok, warning, type Finding } from './check-result.ts';

/** A private server, as the machine that it runs on shows it. */
export interface BuildInfo {
  readonly libraries: readonly BundledLibrary[];
  /** Some account has a login of its own: it reaches libxml2 by statements that no right withholds, such as XMLTABLE. */
  readonly hasLogins: boolean;
  /** The limit of memory that the server was started with, in bytes; null for none. */
  readonly memoryLimit: number | null;
  readonly platform: NodeJS.Platform;
}

/** Checks the build of the private server, and that a query cannot use up the machine. */
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
  if (libraries.length === 0) return ok(name, 'those of the system');
  const found = `${libraries.map((each) => `${each.name} ${each.version}`).join(', ')}, which came with the npm package and get no updates`;
  const remedy =
    'Postgres of a distribution uses the libraries of the system: install it (Debian and Ubuntu: `apt install postgresql`), make a database on it, and name it in DATABASE_URL.';
  if (!hasLogins) return ok(name, `${found}. ${remedy}`);
  return warning(name, `${found}; logins of accounts reach them with XML`, remedy);
}

function evaluateMemory(memoryLimit: number | null, platform: NodeJS.Platform): Finding {
  const name = 'memory of Postgres';
  if (memoryLimit !== null)
    return ok(name, `each of its processes may have ${Math.round(memoryLimit / 2 ** 20)} MiB`);
  if (platform !== 'linux')
    return ok(
      name,
      'without a limit, which this system does not have: give keys and logins to nobody you do not know',
    );
  return warning(
    name,
    'without a limit, so that one query can use up the machine: it was started by an earlier version',
    'Start it again when nothing runs: `nightshift stop`, then any command.',
  );
}
