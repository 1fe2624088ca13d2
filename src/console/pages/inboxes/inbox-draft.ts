import type { Body } from '../../api/client.ts';
import { browserTimeZone } from '../../components/dates/days.ts';
import { emptyPlace, type PlaceDraft } from '../connections/place.ts';
import type { MappedFile, Reading } from '../new-batch/draft.ts';
import { parseRecurrence, toCron, type Recurrence } from '../schedules/recurrence.ts';
import { noSearch, searchTextsOf, type SearchTexts } from '../../components/search/search-texts.ts';

type Inbox = Body<'Inbox'>;
type Changes = Body<'InboxChanges'>;

/** Inbox in the fields of its form. */
export interface InboxDraft {
  readonly name: string;
  readonly place: PlaceDraft;
  readonly recurrence: Recurrence;
  /** IANA name. */
  readonly zone: string;
  /** Pattern for the names of files; empty for all. */
  readonly pattern: string;
  readonly settle: string;
  readonly after: Inbox['after'];
  /** SQL of an inbox on Postgres, and its column for newer rows. */
  readonly query: string;
  readonly newerBy: string;
  /** File like those of the inbox, with its columns; null: by the names of the columns, or as before. */
  readonly example: MappedFile | null;
  readonly search: SearchTexts;
  readonly budget: string;
  readonly again: boolean;
}

/** Draft of a new inbox: the defaults of the server. */
export function emptyInbox(): InboxDraft {
  return {
    name: '',
    place: emptyPlace,
    recurrence: parseRecurrence('*/5 * * * *'),
    zone: browserTimeZone(),
    pattern: '',
    settle: '10s',
    after: 'keep',
    query: '',
    newerBy: '',
    example: null,
    search: noSearch,
    budget: '',
    again: false,
  };
}

/** Converts an inbox to its draft. Its credentials are unknown. */
export function toInboxDraft(inbox: Inbox): InboxDraft {
  return {
    name: inbox.name,
    place: { ...emptyPlace, kind: inbox.kind, address: inbox.location },
    recurrence: parseRecurrence(inbox.cron),
    zone: inbox.time_zone,
    pattern: inbox.pattern ?? '',
    settle: inbox.settle,
    after: inbox.after,
    query: inbox.query ?? '',
    newerBy: inbox.newer_by ?? '',
    example: null,
    search: searchTextsOf(inbox),
    budget: inbox.max_credits === null ? '' : String(inbox.max_credits),
    again: inbox.again,
  };
}

/** Converts a draft to fields of the API, without location and name. */
export function toInboxTerms(draft: InboxDraft): Changes {
  const { recurrence, zone, example, search, budget, again } = draft;
  const sources = search.sources.split(',').map((name) => name.trim());
  return {
    cron: toCron(recurrence),
    time_zone: zone,
    ...arrivalOf(draft),
    ...(example === null ? {} : exampleOf(example)),
    ...(sources.join('') === '' ? {} : { sources }),
    region: textOrNull(search.region),
    max_ads: numberOrNull(search.max_ads),
    own_only: search.own_only,
    max_age: textOrNull(search.max_age),
    max_credits: numberOrNull(budget),
    again,
  };
}

/** Terms of the files or rows that arrive: those that the kind of the location has. */
function arrivalOf({ place: { kind }, pattern, settle, after, query, newerBy }: InboxDraft): Changes {
  if (kind === 'postgres') return { query: query.trim(), newer_by: textOrNull(newerBy) };
  if (kind === 'https') return {};
  return {
    pattern: textOrNull(pattern),
    after,
    ...(kind === 's3' || settle.trim() === '' ? {} : { settle: settle.trim() }),
  };
}

/** Columns and reading options of an example, for all files. */
function exampleOf({ mapping, reading }: MappedFile): Changes {
  return { map: { ...mapping }, ...readingOf(reading) };
}

function readingOf({ hasHeader, isStrict, skipLines, ...texts }: Reading): Changes {
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return {
    ...given,
    ...(hasHeader ? {} : { header: false }),
    ...(isStrict ? { strict: true } : {}),
    ...(skipLines === '' ? {} : { skip_lines: Number(skipLines) }),
  };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

function numberOrNull(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
