import type { Body } from '../../api/client.ts';
import { formatCapped, formatCredits } from '../../components/format.ts';
import { fields } from '../new-batch/draft.ts';
import { searchText } from '../schedules/schedule-labels.ts';

type Inbox = Body<'Inbox'>;
type FileState = Body<'InboxFile'>['state'];
type Tone = 'good' | 'bad' | 'warm' | 'cool' | 'plain';

/** Label and tone of each state of a file. */
export const fileLabels: Readonly<Record<FileState, readonly [tone: Tone, name: string]>> = {
  waiting: ['cool', 'Waiting'],
  ready: ['cool', 'Ready'],
  loading: ['cool', 'Loading'],
  loaded: ['good', 'Loaded'],
  joined: ['plain', 'Joined'],
  failed: ['bad', 'Failed'],
  ignored: ['plain', 'Ignored'],
};

/** Label and tone of the state of an inbox. */
export function inboxState({ state, failing_since: failing }: Inbox): readonly [tone: Tone, name: string] {
  if (state === 'paused') return ['warm', 'Paused'];
  return failing === null ? ['good', 'Active'] : ['bad', 'Failing'];
}

/** Options for a file that became a batch. */
export const afterLabels: Readonly<Record<Inbox['after'], string>> = {
  keep: 'Keep the file where it is',
  move: 'Move the file to done/',
  delete: 'Delete the file',
};

/** Formats the files of an inbox: "12 loaded, 1 failed". */
export function filesText({ files }: Pick<Inbox, 'files'>): string {
  const states = Object.keys(fileLabels) as readonly FileState[];
  const counts = states
    .filter((state) => files[state] > 0)
    .map((state) => `${formatCapped(files[state])} ${fileLabels[state][1].toLowerCase()}`);
  return counts.join(', ') || 'none';
}

/** Lists the settings of an inbox, with their labels. */
export function inboxTerms(inbox: Inbox): readonly (readonly [name: string, value: string])[] {
  const { query, newer_by: newerBy, pattern, settle, after, map, max_credits: budget } = inbox;
  const columns = fields.filter(({ name }) => (map?.[name] ?? '') !== '');
  const search = searchText(inbox);
  const arrival: readonly (readonly [string, string])[] =
    query === null
      ? [
          ['Files', pattern ?? 'all'],
          ['A file is complete', `after ${settle} without a change`],
          ['After its batch', afterLabels[after]],
        ]
      : [
          ['Query', query],
          ['Newer rows by', newerBy ?? 'none: each look takes all rows'],
        ];
  return [
    ['Location', inbox.location],
    ['Credentials', inbox.has_credentials ? 'stored' : 'none'],
    ...(inbox.host_key === null ? [] : [['Host key', inbox.host_key] as const]),
    ...arrival,
    [
      'Columns',
      columns.map(({ name, label }) => `${label}: ${map?.[name] ?? ''}`).join(', ') || 'by their names',
    ],
    ['Ad sources', inbox.sources.join(', ') || 'none'],
    ...(search === '' ? [] : [['Search options', search] as const]),
    ['Budget per file', budget === null ? 'no limit' : `up to ${formatCredits(budget)} credits`],
    ['Same content again', inbox.again ? 'a batch of its own' : 'joins the earlier batch'],
  ];
}
