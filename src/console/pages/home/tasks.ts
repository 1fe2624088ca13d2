import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCounted } from '../../components/format.ts';

type Batch = components['schemas']['Batch'];

/** Something that a user has to decide. */
export interface Task {
  readonly href: string;
  readonly title: string;
  /** Batch or companies concerned, with the next step. */
  readonly subject: string;
  readonly tone: 'bad' | 'warm' | 'cool';
  /** Kind of the task. */
  readonly label: string;
}

const recentMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Lists the tasks of batches, the most urgent first: batches that cannot continue, then failed lookups and companies that were not
 * identified, of batches that finished in the last seven days.
 */
export function tasksOf(batches: readonly Batch[], nowMs: number): readonly Task[] {
  const recent = batches.filter(
    ({ state, purged_at: purged, finished_at: at }) =>
      state === 'finished' && purged === null && at !== null && nowMs - Date.parse(at) < recentMs,
  );
  return [
    ...batches.flatMap(stoppedTask),
    ...recent.flatMap((batch) => rowsTask(batch, 'failed')),
    ...recent.flatMap((batch) => rowsTask(batch, 'no_match')),
  ];
}

function stoppedTask({ id, name, state, wait_kind: kind }: Batch): readonly Task[] {
  const href = `/batches/${id}`;
  if (state === 'waiting_for_credits') {
    const title = 'A batch waits for credits';
    return [
      { href, title, subject: `${name}. Add credits or raise its budget.`, tone: 'bad', label: 'Credits' },
    ];
  }
  if (state === 'waiting_for_source' && (kind === 'refused' || kind === 'unpaid' || kind === 'declined')) {
    const title = 'A source rejects a batch';
    return [
      { href, title, subject: `${name}. An operator has to fix the source.`, tone: 'bad', label: 'Source' },
    ];
  }
  if (state !== 'paused') return [];
  return [
    { href, title: 'A batch is paused', subject: `${name}. Resume it.`, tone: 'cool', label: 'Paused' },
  ];
}

function rowsTask({ id, name, lookups }: Batch, outcome: 'failed' | 'no_match'): readonly Task[] {
  const count = lookups[outcome];
  if (count === 0) return [];
  const isFailed = outcome === 'failed';
  return [
    {
      href: isFailed ? `/batches/${id}` : `/batches/${id}/unidentified`,
      title: isFailed
        ? formatCounted(count, 'failed lookup')
        : `${formatCounted(count, 'company', 'companies')} not identified`,
      subject: isFailed ? `${name}. Retry them.` : `${name}. Map them and look them up again.`,
      tone: isFailed ? 'bad' : 'warm',
      label: isFailed ? 'Failed' : 'Not identified',
    },
  ];
}
