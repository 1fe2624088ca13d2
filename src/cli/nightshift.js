#!/usr/bin/env node
// Starts the command line. In a clone it first builds `dist` if that is missing or older than the sources, so that
// `npx nightshift` works right after `npm ci`, also with --ignore-scripts. Plain JavaScript, because Node 20 runs no TypeScript.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const stamp = join(root, 'dist', '.built');
const lock = join(root, 'dist.lock');

if (isStale()) build();
if (!process.argv.includes('--build-only')) await import('../../dist/server/main.js');

/** True in a clone with an old build. A package from the registry has no tsconfig.json and is built already. */
function isStale() {
  if (!existsSync(join(root, 'tsconfig.json'))) return false;
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  const inputs = ['tsconfig.json', 'package.json', 'src', 'workers', 'db'];
  return inputs.some((input) => isNewer(join(root, input), builtAt));
}

function isNewer(path, builtAt) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs > builtAt;
  return readdirSync(path).some((name) => isNewer(join(path, name), builtAt));
}

/** Builds in one process, while others wait, so that no process loads an incomplete file. */
function build() {
  takeLock();
  try {
    if (!isStale()) return;
    process.stderr.write('Building nightshift (once, a few seconds) …\n');
    const startedAt = new Date();
    for (const part of ['src', 'src/console']) buildPart(part);
    writeFileSync(stamp, '');
    utimesSync(stamp, startedAt, startedAt);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Builds a part with Vite: the command line to `dist/server`, the console to `dist/console`. */
function buildPart(folder) {
  const config = join(root, folder, 'vite.config.ts');
  const vite = join(dirname(findPackage('vite/package.json')), 'bin', 'vite.js');
  const result = spawnSync(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    stdio: ['ignore', 2, 2],
    // Independent of the shell: a development build is half as large again and contains paths of this machine.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (result.status !== 0) reject('The build failed. See the output of Vite above.');
}

function findPackage(path) {
  try {
    return createRequire(import.meta.url).resolve(path);
  } catch {
    return reject(
      'The packages of this clone are not installed. Run `npm ci` in its folder, then run the command again.',
    );
  }
}

function reject(message) {
  process.stderr.write(`${message}\n`);
  rmSync(lock, { recursive: true, force: true });
  process.exit(2);
}

/** Takes the lock, a folder that only one process can create. Removes the folder of a killed process. */
function takeLock() {
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isHeld()) rmSync(lock, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

function isHeld() {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    // Held: just created without a pid yet, or created by another user. Not held: no such process.
    return error.code === 'ENOENT' ? Date.now() - mtimeOf(lock) < 2000 : error.code === 'EPERM';
  }
}

function mtimeOf(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
