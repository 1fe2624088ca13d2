import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { consoleFolder, packageRoot } from '../../../../src/package-root.ts';

/** Size limit of all scripts and styles, gzipped, in bytes. */
const gzippedTotalMax = 120_000;

/** Built script of the console. */
interface Script {
  readonly text: string;
  readonly gzippedBytes: number;
  /** Scripts loaded before it runs. */
  readonly needs: readonly string[];
}

const folder = join(consoleFolder, 'assets');
const scripts = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readScript(readFileSync(join(folder, name), 'utf8'))]),
);
const names = [...scripts.keys()];
const first = namesIn(readFileSync(join(consoleFolder, 'index.html'), 'utf8'), /"\/assets\/([\w-]+\.js)"/g);

test('page loads every script at once', () => {
  expect(names.length).toBeGreaterThan(0);
  expect(whole(first).toSorted()).toEqual(names.toSorted());
});

test('all scripts and styles together are at most 120 kB, gzipped', () => {
  const styles = readdirSync(folder).filter((name) => name.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(0);
  const styleBytes = styles.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  const total = styleBytes.reduce((sum, bytes) => sum + bytes, bytesOf(names));
  expect(total).toBeLessThanOrEqual(gzippedTotalMax);
});

test('scripts are production builds, without file names of this machine', () => {
  for (const [name, { text }] of scripts) {
    expect(text.includes('jsxDEV'), name).toBe(false);
    expect(text.includes(packageRoot), name).toBe(false);
  }
});

function readScript(text: string): Script {
  return {
    text,
    gzippedBytes: gzipSync(text, { level: 9 }).length,
    needs: namesIn(text, /\b(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g),
  };
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].map(([, name = '']) => name));
}

/** Adds everything that loads before these scripts run. */
function whole(some: readonly string[]): readonly string[] {
  const more = unique([...some, ...some.flatMap((name) => scripts.get(name)?.needs ?? [])]);
  return more.length === some.length ? more : whole(more);
}

function bytesOf(some: readonly string[]): number {
  return some.reduce((sum, name) => sum + (scripts.get(name)?.gzippedBytes ?? 0), 0);
}

function unique(some: readonly string[]): readonly string[] {
  return [...new Set(some)];
}
