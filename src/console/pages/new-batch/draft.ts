import { signal } from '@preact/signals';
import type { Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { noSearch, type SearchTexts } from '../../components/search/search-texts.ts';

/** Fields that a column can hold, with their labels. */
export const fields = [
  { name: 'company_domain', label: 'Company website' },
  { name: 'company_name', label: 'Company name' },
  { name: 'email', label: 'E-mail address' },
] as const;
/** Field that a column can hold. */
export type Field = (typeof fields)[number]['name'];

/** Name of the column of each field; empty without one. */
export type Mapping = Readonly<Record<Field, string>>;

/** Options for reading the file. */
export interface Reading {
  readonly hasHeader: boolean;
  /** Empty: detected. */
  readonly delimiter: string;
  readonly encoding: string;
  readonly quote: string;
  readonly escape: string;
  /** Number of lines above the header; empty: detected. */
  readonly skipLines: string;
  /** Name of the sheet of a workbook; empty: the first one with content. */
  readonly sheet: string;
  /** Rejects a file that is not well-formed. */
  readonly isStrict: boolean;
}

/** Operation on the rows of a batch. */
export type Operation = 'ads_search' | 'email_validation';

/** File with its reading options, columns and operations. */
export interface MappedFile {
  readonly file: File;
  readonly reading: Reading;
  readonly columns: Body<'ListColumns'>;
  readonly mapping: Mapping;
  readonly operations: readonly Operation[];
}

/** Batch before its start: the file and all options. Lives as long as the tab. */
export interface Draft extends MappedFile {
  /** Options of the search for ads. */
  readonly search: SearchTexts;
  /** Runs only the first ten rows. */
  readonly isTrial: boolean;
  /** Budget as entered; empty for none. */
  readonly budget: string;
  /** Cap on the cost of calls at the sources as entered, such as `5 USD`; empty: no limit. */
  readonly cap: string;
  /** Sends the user an e-mail when the batch is finished or waits for credits. */
  readonly isEmailed: boolean;
  /** Result of the dry run; null before it, and after a change. */
  readonly check: Body<'Check'> | null;
  /** Idempotency key: a second click or a retry creates no second batch. */
  readonly key: string;
  /** Id of the started batch; null before the start. */
  readonly batch: string | null;
}

/** Reading options that detect everything and expect a header. */
export const plainReading: Reading = {
  hasHeader: true,
  delimiter: '',
  encoding: '',
  quote: '',
  escape: '',
  skipLines: '',
  sheet: '',
  isStrict: false,
};

/** Current draft; null without one. */
export const draft = signal<Draft | null>(null);

/** Starts a draft with a file and its detected columns. The same file with other reading options keeps its options. */
export function startDraft(file: File, reading: Reading, columns: Body<'ListColumns'>): void {
  const mapping = savedMapping(columns) ?? guessedMapping(columns);
  const options =
    draft.value?.file === file
      ? draft.value
      : { search: noSearch, isTrial: false, budget: '', cap: '', isEmailed: false };
  const { search, isTrial, budget, cap, isEmailed } = options;
  draft.value = {
    file,
    reading,
    columns,
    mapping,
    operations: possibleOperations(mapping),
    search,
    isTrial,
    budget,
    cap,
    isEmailed,
    check: null,
    key: newRequestKey(),
    batch: null,
  };
}

/** Changes the draft. A change of columns, operations or search drops the check. */
export function changeDraft(
  changes: Partial<
    Pick<Draft, 'mapping' | 'operations' | 'search' | 'isTrial' | 'budget' | 'cap' | 'isEmailed'>
  >,
): void {
  if (draft.value === null) return;
  const { mapping, operations, search } = changes;
  const needsCheck = [mapping, operations, search].some((each) => each !== undefined);
  draft.value = {
    ...draft.value,
    ...changes,
    key: newRequestKey(),
    batch: null,
    ...(needsCheck ? { check: null } : {}),
  };
}

/** Stores a check, unless the draft changed meanwhile. Returns true if stored. */
export function storeCheck({ key }: Draft, check: Body<'Check'>): boolean {
  if (draft.value?.key !== key) return false;
  draft.value = { ...draft.value, check };
  return true;
}

/** Stores the id of the started batch, unless the draft changed meanwhile. */
export function storeStart({ key }: Draft, batch: string): void {
  if (draft.value?.key === key) draft.value = { ...draft.value, batch };
}

/** Changes the mapping. Enables the operations that it allows, except those that the user turned off. */
export function chooseMapping(mapping: Mapping): void {
  const before = draft.value;
  if (before === null) return;
  const turnedOff = possibleOperations(before.mapping).filter((each) => !before.operations.includes(each));
  changeDraft({
    mapping,
    operations: possibleOperations(mapping).filter((each) => !turnedOff.includes(each)),
  });
}

/** Lists the operations that these columns allow. */
export function possibleOperations({ company_domain, company_name, email }: Mapping): readonly Operation[] {
  return [
    ...(company_domain !== '' || company_name !== '' ? (['ads_search'] as const) : []),
    ...(email !== '' ? (['email_validation'] as const) : []),
  ];
}

/** Detects the mapping from names and values of columns, where they are unambiguous. */
export function guessedMapping({ taken }: Body<'ListColumns'>): Mapping {
  return {
    company_domain: taken.company_domain?.column ?? '',
    company_name: taken.company_name?.column ?? '',
    email: taken.email?.column ?? '',
  };
}

/** Proposes columns for fields without one, the best match of each field first. */
export function openProposals(
  { guesses }: Body<'ListColumns'>,
  mapping: Mapping,
): readonly { readonly field: Field; readonly column: string }[] {
  const used = new Set(Object.values(mapping));
  return fields
    .filter(({ name }) => mapping[name] === '')
    .flatMap(({ name }) => guesses[name].map((column) => ({ field: name, column })))
    .filter(({ column }) => !used.has(column));
}

/** Returns the mapping of the account's last file with the same columns; null without one. */
export function savedMapping({ remembered }: Body<'ListColumns'>): Mapping | null {
  if (remembered === null) return null;
  return {
    company_domain: remembered.fields['company_domain'] ?? '',
    company_name: remembered.fields['company_name'] ?? '',
    email: remembered.fields['email'] ?? '',
  };
}
