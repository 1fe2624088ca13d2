import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../../src/package-root.ts';

interface Batch {
  readonly id: string;
  readonly file_name: string;
  readonly state: string;
  readonly wait_kind: string | null;
  readonly purged_at: string | null;
  readonly finished_at: string | null;
  readonly lookups: { readonly failed: number; readonly no_match: number };
}

/** Module of the browser, loaded without its types. */
interface Tasks {
  readonly tasksOf: (
    batches: readonly Batch[],
    nowMs: number,
  ) => readonly { readonly href: string; readonly title: string; readonly label: string }[];
}

const address = pathToFileURL(join(packageRoot, 'src/console/pages/home/tasks.ts')).href;
const { tasksOf } = (await import(address)) as Tasks;
const now = Date.parse('2026-03-10T08:00:00Z');

const finished: Batch = {
  id: 'bat_1',
  file_name: 'companies.csv',
  state: 'finished',
  wait_kind: null,
  purged_at: null,
  finished_at: '2026-03-10T02:00:00Z',
  lookups: { failed: 0, no_match: 0 },
};

test('a batch that finished without problems is no task', () => {
  expect(tasksOf([finished, { ...finished, state: 'running', finished_at: null }], now)).toEqual([]);
});

test('tasks begin with batches that cannot continue', () => {
  const batches = [
    { ...finished, lookups: { failed: 2, no_match: 8 } },
    { ...finished, id: 'bat_2', state: 'waiting_for_credits', finished_at: null },
    { ...finished, id: 'bat_3', state: 'waiting_for_source', wait_kind: 'refused', finished_at: null },
    { ...finished, id: 'bat_4', state: 'paused', finished_at: null },
  ];
  expect(tasksOf(batches, now).map(({ label, title, href }) => [label, title, href])).toEqual([
    ['Credits', 'A batch waits for credits', '/batches/bat_2'],
    ['Source', 'A source rejects a batch', '/batches/bat_3'],
    ['Paused', 'A batch is paused', '/batches/bat_4'],
    ['Failed', '2 failed lookups', '/batches/bat_1'],
    ['Not identified', '8 companies not identified', '/batches/bat_1/unidentified'],
  ]);
});

test('a source that recovers by itself, old batches and purged ones are no tasks', () => {
  const failed = { ...finished, lookups: { failed: 1, no_match: 1 } };
  const batches = [
    { ...finished, state: 'waiting_for_source', wait_kind: 'failing', finished_at: null },
    { ...failed, finished_at: '2026-03-01T02:00:00Z' },
    { ...failed, purged_at: '2026-03-10T03:00:00Z' },
  ];
  expect(tasksOf(batches, now)).toEqual([]);
});
