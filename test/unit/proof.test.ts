import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proofCases, type ProofCase } from '../proof/cases.ts';
import { chooseCases } from '../proof/choose-cases.ts';
import { parseOptions, UsageError } from '../proof/options.ts';
import { notRun, renewRecord } from '../proof/record.ts';
import type { CaseResult } from '../proof/result.ts';

const root = join(import.meta.dirname, '../..');
const record = readFileSync(join(root, 'docs/contributing/proof.md'), 'utf8');

const cases: readonly ProofCase[] = ['first', 'second'].map((name) => ({
  name,
  shows: `what ${name} must show`,
  files: [],
  expectedMinutes: 1,
  minutesMax: 2,
}));

function resultOf(name: string, changes: Partial<CaseResult> = {}): CaseResult {
  return {
    name,
    state: 'passed',
    reason: '',
    passed: 2,
    failed: 0,
    skipped: 0,
    figures: [{ title: '20 kills', figures: { rows: 50_000, pause: '3 | 4 s' } }],
    seed: '1a2b3c4d',
    seconds: 61,
    date: '2026-11-28',
    commit: 'abcdef0123',
    machine: '2 cores',
    ...changes,
  };
}

describe('the choice of cases', () => {
  const all = parseOptions([]);
  const namesOf = (options = all, results = [resultOf('first'), resultOf('second', { state: 'failed' })]) =>
    chooseCases(cases, results, options).toRun.map(({ name }) => name);

  test('leaves out what has passed with the same code, and keeps its result', () => {
    expect(namesOf()).toEqual(['second']);
    expect(chooseCases(cases, [resultOf('first')], all).kept).toEqual([resultOf('first')]);
  });

  test.each(['failed', 'over time', 'not run'] as const)('runs a case again that was %s', (state) => {
    expect(namesOf(all, [resultOf('first', { state })])).toEqual(['first', 'second']);
  });

  test('takes the named cases in the order of the list', () => {
    expect(namesOf({ ...all, names: ['second', 'first'] }, [])).toEqual(['first', 'second']);
    expect(namesOf({ ...all, names: ['second'] }, [])).toEqual(['second']);
  });

  test.each([['--again'], ['--seed', '1a2b3c4d']])('runs all again with %s', (...argv) => {
    expect(namesOf(parseOptions(argv))).toEqual(['first', 'second']);
  });
});

describe('the command line', () => {
  test('takes cases and options', () => {
    expect(parseOptions(['storm', '--small', '--json', '--seed=00ff00ff'])).toEqual({
      names: ['storm'],
      isList: false,
      isSmall: true,
      isAgain: false,
      json: true,
      seed: '00ff00ff',
    });
  });

  test.each([
    [['stom'], /no case stom\. Choose of: .*storm/],
    [['--samll'], /--samll/],
    [['--seed', 'now'], /eight hexadecimal digits/],
  ])('rejects %j', (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(UsageError);
    expect(() => parseOptions(argv)).toThrow(message);
  });
});

describe('the record', () => {
  const comment = /<!--[^]*?-->/.exec(record)?.[0] ?? '';
  const empty = `# Proof\n\n${comment}\n<!-- End of the record. -->\n\nThe end.\n`;
  const sectionOf = (text: string, name: string) =>
    text.split(/^(?=### |<!--)/m).find((one) => one.startsWith(`### \`${name}\``));

  test('has a section for each case, and says which have not run', () => {
    const renewed = renewRecord(empty, cases, [resultOf('second')]);
    expect(sectionOf(renewed, 'first')).toBe(
      `### \`first\`\n\nMust show: what first must show.\n\n- Result: ${notRun}\n\n`,
    );
    expect(sectionOf(renewed, 'second')).toBe(
      [
        '### `second`\n\nMust show: what second must show.\n',
        '- Result: passed (2 passed), 1 min',
        '- Run: 2026-11-28, commit abcdef0123, seed `1a2b3c4d`, 2 cores',
        '- 20 kills: rows 50000, pause 3 | 4 s\n\n',
      ].join('\n'),
    );
    expect(renewed).toMatch(/^# Proof\n[^]*The end\.\n$/);
  });

  test('keeps the sections of other cases, and replaces those of a new result', () => {
    const before = renewRecord(empty, cases, [resultOf('first'), resultOf('second')]);
    const failure = resultOf('second', {
      state: 'failed',
      reason: 'storm.test.ts:7 > a\n\n### b',
      failed: 1,
    });
    const renewed = renewRecord(before, cases, [failure]);
    expect(sectionOf(renewed, 'first')).toBe(sectionOf(before, 'first'));
    expect(sectionOf(renewed, 'second')).toContain(
      '\n- Result: failed (1 failed, 2 passed): storm.test.ts:7 > a ### b, 1 min\n',
    );
    expect(renewRecord(renewed, cases, [])).toBe(renewed);
  });

  test('takes what a case must show from the list of cases, beside a result that stays', () => {
    const before = renewRecord(empty, cases, [resultOf('first')]);
    const [first] = cases;
    if (first === undefined) throw new Error('There is no case.');
    const renewed = renewRecord(before, [{ ...first, shows: 'more' }], []);
    expect(sectionOf(renewed, 'first')).toBe(
      sectionOf(before, 'first')?.replace('what first must show.', 'more.'),
    );
  });

  test('calls a case without results not run, whatever it had before', () => {
    const before = renewRecord(empty, cases, [resultOf('first')]);
    const skipped = resultOf('first', { state: 'not run', reason: 'its tests were skipped' });
    expect(sectionOf(renewRecord(before, cases, [skipped]), 'first')).toMatch(
      new RegExp(`\n\n- Result: ${notRun}: its tests were skipped\n\n$`),
    );
  });

  test('is not written where its comments are missing', () => {
    expect(() => renewRecord('# Proof\n', cases, [])).toThrow('no place for the record');
  });

  test('of the project lists every case of the proof, as the proof writes it', () => {
    const listed = record.split('\n').flatMap((line) => /^### `([\w-]+)`/.exec(line)?.[1] ?? []);
    expect(listed).toEqual(proofCases.map(({ name }) => name));
    expect(renewRecord(record, proofCases, [])).toBe(record);
  });
});

test.each(proofCases)('the case $name names existing fault tests, and a limit above its time', (one) => {
  expect(one.files.filter((file) => !existsSync(join(root, 'test', file)))).toEqual([]);
  expect(one.minutesMax).toBeGreaterThan(one.expectedMinutes);
});
