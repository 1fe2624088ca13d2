import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the project in a temporary folder. */
export interface TreeCopy {
  readonly root: string;
  /** Removes the copy. */
  readonly close: () => void;
}

/**
 * Copies the files that git tracks or would add, in their current state, with the last build of the command line, and links the
 * installed packages. The project itself does not change.
 */
export function copyTree(projectRoot: string): TreeCopy {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-bugs-')));
  for (const path of [...listSources(projectRoot), 'dist']) {
    if (!existsSync(join(projectRoot, path))) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(projectRoot, path), join(root, path), { preserveTimestamps: true, recursive: true });
  }
  symlinkSync(realpathSync(join(projectRoot, 'node_modules')), join(root, 'node_modules'));
  return { root, close: () => rmSync(root, { recursive: true, force: true }) };
}

/** Deleted files without a commit are still in the index; a link to packages is not a source. */
function listSources(projectRoot: string): readonly string[] {
  const list = (...options: readonly string[]) =>
    execFileSync('git', ['ls-files', '-z', ...options], { cwd: projectRoot, encoding: 'utf8' })
      .split('\0')
      .filter((path) => path !== '');
  const deleted = new Set(list('--deleted'));
  return list('--cached', '--others', '--exclude-standard').filter(
    (path) => !deleted.has(path) && path !== 'node_modules',
  );
}
