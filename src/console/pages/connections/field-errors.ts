import type { RequestError } from '../../api/request-error.ts';

/** Errors of a form by field, and the error that belongs to none. */
export type FieldErrors<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Field of a connection whose error is shown beside it. */
export type ConnectionField =
  'name' | 'cron' | 'query' | 'pattern' | 'settle' | 'sources' | 'table' | 'key' | 'credentials' | 'location';

/** Texts in the message of a field's error, in the order of trial: an error of a location can name anything. */
const patterns: readonly (readonly [field: ConnectionField, pattern: RegExp])[] = [
  ['name', /^name\b|^There is an? \w+ ".*" already/],
  ['cron', /^(cron|time_zone)\b/],
  ['query', /^(query|newer_by)\b|the query|needs a query/],
  ['pattern', /^pattern\b/],
  ['settle', /^settle\b/],
  ['sources', /^sources?\b|[Uu]nknown source/],
  ['table', /^table\b/],
  ['key', /^key\b/],
  ['credentials', /credentials|password|access_key|private_key|signature|permission|\b40[13]\b/],
  ['location', /location|folder|bucket|host|reached|certificate|address|endpoint/i],
];

/** Assigns an error to its field, or to the form. */
export function assignError(error: RequestError | undefined): {
  readonly fields: FieldErrors<ConnectionField>;
  readonly rest: RequestError | undefined;
} {
  const [field] = patterns.find(([, pattern]) => pattern.test(error?.message ?? '')) ?? [];
  if (error === undefined || field === undefined || error.status >= 500) return { fields: {}, rest: error };
  return { fields: { [field]: withoutField(error.message) }, rest: undefined };
}

/** Removes the name of the field in the API: the label says it. */
function withoutField(message: string): string {
  return message.replace(/^[a-z_]+: (.)/, (_, first: string) => first.toUpperCase());
}
