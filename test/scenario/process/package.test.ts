import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../../src/package-root.ts';
import { ownEnvironment } from '../../support/cli/nightshift-process.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/**
 * The packed files in an empty project, with the dependencies that the package names and no others: links to those of the checkout
 * stand in for a download.
 */
describe('the packed package in an empty folder', () => {
  let folder: string;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-package-')));
    // As root, Postgres runs as another user: without access to this folder, its data would be in another one.
    chmodSync(folder, 0o755);
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, '.bin'), { recursive: true });
    // The global setup has built it.
    runIn(packageRoot, 'npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
    runIn(folder, 'tar', ['-xzf', `nightshift-${packageVersion}.tgz`]);
    renameSync(join(folder, 'package'), join(modules, 'nightshift'));
    for (const name of dependenciesOf(join(modules, 'nightshift'))) link(name, modules);
    symlinkSync('../nightshift/src/cli/nightshift.js', join(modules, '.bin', 'nightshift'));
  });

  afterAll(() => {
    nightshift(['stop', '--force']);
    rmSync(folder, { recursive: true, force: true });
  });

  function nightshift(args: readonly string[]) {
    const bin = join(folder, 'node_modules', '.bin', 'nightshift');
    return runIn(folder, process.execPath, [bin, ...args]);
  }

  test('prints its version, without a build', () => {
    expect(nightshift(['--version'])).toEqual({ stdout: `${packageVersion}\n`, stderr: '' });
    expect(existsSync(join(folder, 'node_modules', 'nightshift', 'tsconfig.json'))).toBe(false);
  });

  test('enriches a file with the sample source on its private Postgres', () => {
    writeFileSync(join(folder, 'list.csv'), 'website\nnike.com\nadidas.de\n');
    const { stdout } = nightshift(['enrich', 'list.csv', '--source', 'sample', '-o', 'out.csv']);
    expect(stdout).toMatch(/Companies +2: 2 found/);
    expect(readFileSync(join(folder, 'out.csv'), 'utf8').split('\n')[1]).toMatch(/^nike\.com,/);
  });
});

/** @throws Error with the output of a program that fails. */
function runIn(folder: string, program: string, args: readonly string[]) {
  const env = { ...ownEnvironment(), NIGHTSHIFT_HOME: join(folder, '.nightshift') };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stderr}${stdout}`);
  return { stdout, stderr };
}

function dependenciesOf(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
}

/** Links a package of the checkout. An optional one for another platform is missing there, too. */
function link(name: string, modules: string): void {
  const target = join(packageRoot, 'node_modules', name);
  if (!existsSync(target)) return;
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(realpathSync(target), join(modules, name));
}
