import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { consoleFolder, packageRoot } from '../../../../src/package-root.ts';

/** Size limits of the scripts of a page, and of all scripts and styles, gzipped, in bytes. */
const gzippedMax = 114_000;
const gzippedTotalMax = 120_000;

/** Built script of the console. */
interface Script {
  readonly text: string;
  readonly gzippedBytes: number;
  /** Scripts loaded before it runs. */
  readonly needs: readonly string[];
  /** Scripts loaded on demand. */
  readonly mayLoad: readonly string[];
}

const folder = join(consoleFolder, 'assets');
const scripts = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readScript(readFileSync(join(folder, name), 'utf8'))]),
);
const names = [...scripts.keys()];
const first = namesIn(readFileSync(join(consoleFolder, 'index.html'), 'utf8'), /"\/assets\/([\w-]+\.js)"/g);

test('every script is reachable from the page', () => {
  expect(first.length).toBeGreaterThan(0);
  expect(names.length).toBeGreaterThan(first.length);
  const all = names.reduce<readonly string[]>(
    (reached) => unique([...reached, ...reached.flatMap(after)]),
    first,
  );
  expect(all.toSorted()).toEqual(names.toSorted());
});

test('no page loads more than 114 kB, gzipped', () => {
  const loads = names.flatMap((name) => scripts.get(name)?.mayLoad ?? []);
  expect(loads.length).toBeGreaterThan(0);
  for (const load of loads) expect(bytesOf(whole([...first, load])), load).toBeLessThanOrEqual(gzippedMax);
});

test('all scripts and styles together are at most 120 kB, gzipped', () => {
  const styles = readdirSync(folder).filter((name) => name.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(0);
  const styleBytes = styles.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  const total = styleBytes.reduce((sum, bytes) => sum + bytes, bytesOf(names));
  expect(total).toBeLessThanOrEqual(gzippedTotalMax);
});

test('only chart pages load the chart library', () => {
  const chartScripts = names.filter((name) => scripts.get(name)?.text.includes('u-over'));
  expect(chartScripts).toHaveLength(1);
  expect(whole(first)).not.toContain(chartScripts[0]);
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
    mayLoad: namesIn(text, /\bimport\(\s*["'`]\.\/([\w-]+\.js)["'`]\s*\)/g),
  };
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].map(([, name = '']) => name));
}

function after(name: string): readonly string[] {
  const { needs, mayLoad } = scripts.get(name) ?? { needs: [], mayLoad: [] };
  return [...needs, ...mayLoad];
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
