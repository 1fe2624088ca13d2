import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** State of the code that a run proves. */
export interface Revision {
  /** Short hash of the commit, with `and changes` if the tree differs from it. */
  readonly commit: string;
  /** Hash of all files but the documentation, so that the commit of a record changes nothing. */
  readonly code: string;
}

const withoutDocumentation = ['.', ':(exclude)docs', ':(exclude)*.md'];

/**
 * Reads the revision of a working tree.
 *
 * @throws Error when it is not one of git.
 */
export function readRevision(root: string): Revision {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });
  const changes =
    git('diff', 'HEAD', '--', ...withoutDocumentation) +
    git('ls-files', '--others', '--exclude-standard', '--', ...withoutDocumentation);
  const tree = git('ls-tree', '-r', 'HEAD').split('\n');
  const code = tree.filter((line) => !/\t(docs\/.*|.*\.md)$/.test(line)).join('\n');
  const hash = git('rev-parse', '--short=10', 'HEAD').trim();
  return {
    commit: changes === '' ? hash : `${hash} and changes`,
    code: createHash('sha256').update(code).update(changes).digest('hex').slice(0, 16),
  };
}
