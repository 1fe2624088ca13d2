import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';
import { cacheFolder } from '../ci/cache-folder.ts';

/**
 * The release before this one, as a commit of main: nothing was published yet. Its migrations are the first ones of this release. With each
 * release, it becomes the commit of the one before.
 */
const earlierRelease = '2c66031cd3b2dd2fe676697978edc5a7423fa4ca';

/** Returns null if the history has the release before; otherwise the reason: no git, no checkout, or a shallow one. */
export function earlierReleaseUnavailableReason(): string | null {
  const found = git(['cat-file', '-e', `${earlierRelease}^{commit}`]);
  if (found.error !== undefined) return 'git is not installed (Debian: git)';
  return found.status === 0
    ? null
    : `the history of this checkout does not reach back to ${earlierRelease.slice(0, 8)}: run git fetch --unshallow`;
}

/**
 * Builds the release before from the history, with the packages of this checkout, and keeps the build for later runs.
 *
 * @returns the path of its command line.
 */
export function buildEarlierRelease(): string {
  const folder = join(cacheFolder(), `release-${earlierRelease.slice(0, 12)}`);
  const program = join(folder, 'src', 'cli', 'nightshift.js');
  if (existsSync(folder)) {
    linkPackages(folder);
    return program;
  }
  const making = mkdtempSync(`${folder}-`);
  try {
    unpack(making);
    linkPackages(making);
    run(process.execPath, [join(making, 'src', 'cli', 'nightshift.js'), '--build-only']);
    // Like a package: without it, the command never builds again.
    rmSync(join(making, 'tsconfig.json'));
    // Another run may have been faster: its build is the same.
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return program;
}

/** Links the packages of this checkout, also in a build of a checkout that is gone. */
function linkPackages(folder: string): void {
  const link = join(folder, 'node_modules');
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(join(packageRoot, 'node_modules'), link);
}

function unpack(folder: string): void {
  const file = join(folder, 'release.tar');
  run('git', ['-C', packageRoot, 'archive', '--output', file, earlierRelease, ...shipped]);
  run('tar', ['-xf', file, '-C', folder]);
  rmSync(file);
}

/** What a build needs, and a package contains. */
const shipped = ['package.json', 'tsconfig.json', 'src', 'workers', 'db', 'examples', 'docs'];

function git(args: readonly string[]) {
  return spawnSync('git', ['-C', packageRoot, ...args], { stdio: 'ignore' });
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}; its output is above.`);
}
