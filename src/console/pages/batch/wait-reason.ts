import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCount, formatCounted, formatCredits } from '../../components/format.ts';

type Batch = components['schemas']['Batch'];

/** Why a list stands as it does, and what to do about it. */
export interface Why {
  readonly kind: 'info' | 'good' | 'warning';
  readonly title: string;
  readonly words: string;
  /** When it is tried again by itself. */
  readonly until: string | null;
}

/** In plain words; null where a list simply goes on. */
export function whyItStands(batch: Batch): Why | null {
  switch (batch.state) {
    case 'running':
      return null;
    case 'loading':
      return plain('info', 'It is being read in', 'It begins as soon as the last row is stored.');
    case 'paused':
      return whyPaused(batch);
    case 'waiting_for_credits':
      return whyCredits(batch);
    case 'waiting_for_source':
      return whySource(batch);
    case 'cancelled':
      return plain(
        'info',
        'It was cancelled',
        'What was looked up by then stays. To look up the rest, hand the list in again.',
      );
    case 'finished':
      return whyFinished(batch);
  }
}

function plain(kind: Why['kind'], title: string, words: string): Why {
  return { kind, title, words, until: null };
}

function whyPaused({ limit, limit_reached: isReached, lookups }: Batch): Why {
  if (isReached && limit !== null) {
    return plain(
      'good',
      `The first ${formatCount(limit)} rows are done`,
      `Look at what came of them. If you like it, go on with the rest: ${formatCounted(lookups.open, 'lookup')}.`,
    );
  }
  return plain(
    'info',
    'It is paused',
    'Nothing is looked up and no credits are held for it until you go on.',
  );
}

function whyCredits({ max_credits: budget, reason }: Batch): Why {
  if (budget !== null && reason?.includes('budget') === true) {
    return plain(
      'warning',
      'Its budget is used up',
      `It may cost ${formatCredits(budget)} credits in all. Go on with a larger budget, or leave it as it is: what is done stays.`,
    );
  }
  return plain(
    'warning',
    'It waits for credits',
    'What is left is less than one result costs. It goes on by itself as soon as there are more credits.',
  );
}

/** Titles of waits that only a person can end. */
const personTitles: Readonly<Partial<Record<NonNullable<Batch['wait_kind']>, string>>> = {
  refused: 'Its source refuses our key',
  unpaid: 'Its source wants to be paid',
  declined: 'Its source declines what we ask',
};

function whySource({ wait_kind: kind, wait_until: until, reason }: Batch): Why {
  const known = reason === null ? '' : ` What is known: ${reason}.`;
  const asksForAPerson = kind === null ? undefined : personTitles[kind];
  if (asksForAPerson !== undefined) {
    return {
      kind: 'warning',
      title: asksForAPerson,
      words: `Whoever runs this Nightshift has to see to that; then go on.${known}`,
      until,
    };
  }
  if (kind === 'budget') {
    return {
      kind: 'info',
      title: 'Its source is used up for today',
      words: `It goes on by itself once it may ask again. There is nothing to do.${known}`,
      until,
    };
  }
  return {
    kind: 'info',
    title: kind === 'blocked' ? 'Its source asks us to wait' : 'Its source gives no answers',
    words: `It is tried again by itself, and nothing is lost or charged meanwhile.${known}`,
    until,
  };
}

function whyFinished({ lookups }: Batch): Why | null {
  if (lookups.failed === 0) return null;
  return plain(
    'warning',
    `${formatCounted(lookups.failed, 'lookup')} failed`,
    'They cost nothing. They can be tried again; the results say why each failed.',
  );
}
