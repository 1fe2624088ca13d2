import { signal } from '@preact/signals';
import type { Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';

/** The fields that a column can hold for us, as people know them. */
export const fields = [
  { name: 'company_domain', label: 'Website of the company' },
  { name: 'company_name', label: 'Name of the company' },
  { name: 'email', label: 'E-mail address' },
] as const;
export type Field = (typeof fields)[number]['name'];

/** By field, the name of the column that holds it; empty where none does. */
export type Mapping = Readonly<Record<Field, string>>;

/** Reading options that are not detected. */
export interface Reading {
  readonly hasHeader: boolean;
  /** Empty: found out. */
  readonly delimiter: string;
  readonly encoding: string;
}

export type Operation = 'ads_search' | 'email_validation';

/** A file, and how it is understood. */
export interface MappedList {
  readonly file: File;
  readonly reading: Reading;
  readonly columns: Body<'ListColumns'>;
  readonly mapping: Mapping;
  readonly operations: readonly Operation[];
}

/** A list on its way in: the file, and all that was said about it. It lives as long as the tab does. */
export interface Draft extends MappedList {
  /** Source of the ads search; null: the default of the service. */
  readonly source: string | null;
  /** Only the first ten rows. */
  readonly isProbe: boolean;
  /** As it was typed; empty for none. */
  readonly budget: string;
  /** Check of the draft; null before it ran, and after a change. */
  readonly check: Body<'Check'> | null;
  /** Names what is asked for: a second click, or a repeat after the connection was lost, makes no second batch. */
  readonly key: string;
  /** The batch that it was started as, as it stands; null: it was not. */
  readonly batch: string | null;
}

export const plainReading: Reading = { hasHeader: true, delimiter: '', encoding: '' };

/** Current draft; null without one. */
export const draft = signal<Draft | null>(null);

/** Begins with a file, its columns understood as far as that goes by itself. The same one read in another way keeps its bounds. */
export function begin(file: File, reading: Reading, columns: Body<'ListColumns'>): void {
  const mapping = rememberedMapping(columns) ?? guessedMapping(columns);
  const { isProbe, budget } = draft.value?.file === file ? draft.value : { isProbe: false, budget: '' };
  draft.value = {
    file,
    reading,
    columns,
    mapping,
    operations: possibleOperations(mapping),
    source: null,
    isProbe,
    budget,
    check: null,
    key: newRequestKey(),
    batch: null,
  };
}

/** Says something else about the list; what was found out about it before counts no more where it depends on that. */
export function change(
  changes: Partial<Pick<Draft, 'mapping' | 'operations' | 'source' | 'isProbe' | 'budget'>>,
): void {
  if (draft.value === null) return;
  const { mapping, operations, source } = changes;
  const isReadAnew = [mapping, operations, source].some((each) => each !== undefined);
  draft.value = {
    ...draft.value,
    ...changes,
    key: newRequestKey(),
    batch: null,
    ...(isReadAnew ? { check: null } : {}),
  };
}

/** Stores a check, unless the draft changed meanwhile; returns true if it was stored. */
export function noteCheck({ key }: Draft, check: Body<'Check'>): boolean {
  if (draft.value?.key !== key) return false;
  draft.value = { ...draft.value, check };
  return true;
}

/** It was started. */
export function noteStart({ key }: Draft, batch: string): void {
  if (draft.value?.key === key) draft.value = { ...draft.value, batch };
}

/** Chooses another mapping; what can be done with the rows follows from it, unless some of that was left out before. */
export function chooseMapping(mapping: Mapping): void {
  const before = draft.value;
  if (before === null) return;
  const left = possibleOperations(before.mapping).filter((each) => !before.operations.includes(each));
  change({ mapping, operations: possibleOperations(mapping).filter((each) => !left.includes(each)) });
}

/** Operations that these columns allow. */
export function possibleOperations({ company_domain, company_name, email }: Mapping): readonly Operation[] {
  return [
    ...(company_domain !== '' || company_name !== '' ? (['ads_search'] as const) : []),
    ...(email !== '' ? (['email_validation'] as const) : []),
  ];
}

/** By the names and values of the columns, as far as these leave no doubt. */
export function guessedMapping({ taken }: Body<'ListColumns'>): Mapping {
  return {
    company_domain: taken.company_domain?.column ?? '',
    company_name: taken.company_name?.column ?? '',
    email: taken.email?.column ?? '',
  };
}

/** Columns that may hold a field which no column is chosen for, the most telling of each field first. */
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

/** As the account took the same columns the last time; null when there was none. */
export function rememberedMapping({ remembered }: Body<'ListColumns'>): Mapping | null {
  if (remembered === null) return null;
  return {
    company_domain: remembered.fields['company_domain'] ?? '',
    company_name: remembered.fields['company_name'] ?? '',
    email: remembered.fields['email'] ?? '',
  };
}
