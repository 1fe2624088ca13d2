import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import type { ProofCase } from '../../proof/cases.ts';
import { findProcesses } from '../../proof/end-processes.ts';
import { parseOptions } from '../../proof/options.ts';
import { prove } from '../../proof/prove.ts';
import type { CaseResult } from '../../proof/result.ts';
import { readState, writeState } from '../../proof/state.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const options = parseOptions([]);

const passing = `test('passes', () => {
  appendFileSync(process.env.NIGHTSHIFT_PROOF_FIGURES, JSON.stringify({ title: 'run', figures: {
    size: process.env.NIGHTSHIFT_TEST_RUNS, seed: process.env.NIGHTSHIFT_TEST_SEED } }) + '\\n');
});`;
const failing = `test('fails', () => { throw new Error('two rows are lost'); });`;
const skipped = `test.skip('is skipped', () => undefined);`;
/** Starts a server that leaves the group of its parent and drops its environment, as Postgres does, and waits for it. */
const hanging = `test('hangs', { timeout: 600_000 }, async () => {
  const folder = process.env.NIGHTSHIFT_PROOF_FIGURES + '-server';
  mkdirSync(folder, { recursive: true });
  const server = spawn('sleep', ['600'], { cwd: folder, env: {}, detached: true, stdio: 'ignore' });
  await new Promise((resolve) => server.once('exit', resolve));
});`;

test('the proof keeps what has passed, tells a failure, and goes on with the rest', async () => {
  const proof = openProof({ one: passing, two: failing, three: skipped });
  const first = await proof.run();
  expect(
    first.map(({ name, state, passed, failed, skipped: none }) => [name, state, passed, failed, none]),
  ).toEqual([
    ['one', 'passed', 1, 0, 0],
    ['two', 'failed', 0, 1, 0],
    ['three', 'not run', 0, 0, 1],
  ]);
  expect(first[0]).toMatchObject({
    figures: [{ title: 'run', figures: { size: 'full', seed: first[0]?.seed } }],
  });
  expect(first[1]?.reason).toMatch(/two\.test\.mjs.* > fails: .*two rows are lost/);
  expect(readFileSync(join(proof.folder, 'two.log'), 'utf8')).toContain('two rows are lost');

  proof.write('two', passing);
  expect((await proof.run()).map(({ name, seed }) => [name, seed === first[0]?.seed])).toEqual([
    ['one', true],
    ['two', false],
    ['three', false],
  ]);
  expect(proof.ran).toEqual(['one', 'two', 'three', 'two', 'three']);
  expect((await proof.run({ code: 'other' })).map(({ state }) => state)).toEqual([
    'passed',
    'passed',
    'not run',
  ]);
  expect(proof.ran.slice(5)).toEqual(['one', 'two', 'three']);
});

test('the proof ends a case with all its processes when its time is over', async () => {
  const proof = openProof({ one: hanging });
  expect(await proof.run({ minutesMax: 0.15 })).toMatchObject([
    { state: 'over time', reason: 'ended after 0.15 minutes' },
  ]);
  expect(findProcesses([proof.folder])).toEqual([]);
});

test('an interrupted proof leaves no process, and goes on with the case that was running', async () => {
  const proof = openProof({ one: passing, two: hanging });
  const interrupt = new AbortController();
  const running = proof.run({ signal: interrupt.signal });
  // vitest, its fork and the server.
  await vi.waitUntil(() => findProcesses(['two.figures-server']).length > 0, { timeout: waitMsMax });
  interrupt.abort(new Error('Ctrl-C'));
  await expect(running).rejects.toThrow('Ctrl-C');
  expect(findProcesses([proof.folder])).toEqual([]);
  proof.write('two', passing);
  expect((await proof.run()).map(({ state }) => state)).toEqual(['passed', 'passed']);
  expect(proof.ran).toEqual(['one', 'two']);
});

test('the proof ends what one that was killed has left', async () => {
  const proof = openProof({ one: passing });
  const word = `${proof.folder}/earlier.figures`;
  const left = spawn('sleep', ['600'], { env: { LEFT_BY: word }, stdio: 'ignore' });
  const ended = once(left, 'exit');
  await vi.waitUntil(() => findProcesses([word]).length === 1, {
    timeout: waitMsMax,
  });
  const file = join(proof.folder, 'full-state.json');
  writeState(file, { code: 'code', results: [], running: [word] });
  await proof.run();
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(readState(file, 'code').running).toEqual([]);
});

/** A proof with these test files as its cases, outside of the project. */
function openProof(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-proof-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'vitest.config.mjs');
  writeFileSync(
    config,
    `export default { test: { root: ${JSON.stringify(folder)}, globals: true, include: ['*.test.mjs'],
      reporters: ['default', ['json', { outputFile: process.env.NIGHTSHIFT_TEST_REPORT }]] } };`,
  );
  const imports = `import { spawn } from 'node:child_process'; import { appendFileSync, mkdirSync } from 'node:fs';`;
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, `${name}.test.mjs`), `${imports}\n${text}\n`);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const ran: string[] = [];
  const run = ({ code = 'code', minutesMax = 5, signal = new AbortController().signal } = {}) => {
    const cases: readonly ProofCase[] = Object.keys(files).map((name) => ({
      name,
      shows: '',
      files: [`${name}.test.mjs`],
      expectedMinutes: 1,
      minutesMax,
    }));
    return prove(cases, options, {
      places: { root: packageRoot, config, output: folder },
      revision: { commit: 'abcdef0123', code },
      machine: '2 cores',
      signal,
      say: () => undefined,
      onOutput: () => undefined,
      onResult: async ({ name }: CaseResult) => void ran.push(name),
    });
  };
  return { folder, write, ran, run };
}
