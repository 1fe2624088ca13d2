import { exactNumber } from './exact-numbers.ts';

/** Values of the placeholders in a request; null: none, and the text around it is omitted. */
export interface PlaceholderValues {
  readonly domain: string | null;
  readonly name: string | null;
  /** Several ids are separated by commas. */
  readonly advertiser_id: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly region: string | null;
  /** Google's number of the region, `2840` for US. */
  readonly region_number: string | null;
  readonly page_token: string | null;
  readonly ads_max: string | null;
  readonly secret: string | null;
  /** `YYYY-MM-DD`. */
  readonly today?: string;
}

type Values = PlaceholderValues;

/** Texts of the placeholders. */
const texts: Readonly<Record<string, (values: Values) => string | null>> = {
  domain: ({ domain }) => domain,
  name: ({ name }) => name,
  advertiser_id: ({ advertiser_id: ids }) => ids,
  region: ({ region }) => region,
  region_number: ({ region_number: number }) => number,
  page_token: ({ page_token: token }) => token,
  ads_max: ({ ads_max: max }) => max,
  secret: ({ secret }) => secret,
  secret_base64: ({ secret }) => (secret === null ? null : Buffer.from(secret).toString('base64')),
  today: ({ today = null }) => today,
  today_compact: ({ today = null }) => compact(today),
  year_ago: ({ today }) => yearBefore(today),
  year_ago_compact: ({ today }) => compact(yearBefore(today)),
};

/** Lists of the placeholders that stand alone in a JSON text. */
const lists: Readonly<Record<string, (values: Values) => readonly string[] | null>> = {
  advertiser_id_list: ({ advertiser_id: ids }) => ids?.split(',') ?? null,
  advertiser_number_list: ({ advertiser_id: ids }) => ids?.split(',').map(exactNumber) ?? null,
  region_list: ({ region }) => (region === null ? null : [region]),
};

/** Placeholders with a number: a JSON text with only the placeholder becomes a number. */
const numbers = ['region_number', 'ads_max'];

/** `{region}`; with a default `{region:DE}`; required `{region!}`. */
const placeholder = /\{([a-z_0-9]+)(!|:[^{}]*)?\}/g;
const onlyPlaceholder = /^\{([a-z_0-9]+)(!|:[^{}]*)?\}$/;

/** A placeholder as it is written. */
export interface WrittenPlaceholder {
  readonly name: string;
  readonly isRequired: boolean;
  /** Undefined: none. */
  readonly default: string | undefined;
}

/** Placeholders of a text, including unknown ones. */
export function placeholdersIn(text: string): readonly WrittenPlaceholder[] {
  return [...text.matchAll(placeholder)].map(([, name = '', rest = '']) => written(name, rest));
}

function written(name: string, rest: string): WrittenPlaceholder {
  return { name, isRequired: rest === '!', default: rest.startsWith(':') ? rest.slice(1) : undefined };
}

/** True for a placeholder that exists. */
export function isPlaceholder(name: string): boolean {
  return Object.hasOwn(texts, name) || isList(name);
}

/** True for a placeholder that becomes a list, in JSON only. */
export function isList(name: string): boolean {
  return Object.hasOwn(lists, name);
}

/** Fills in the placeholders of a text with `write`; null if one of them has neither a value nor a default. */
export function fill(
  template: string,
  values: Values,
  write: (value: string) => string = (value) => value,
): string | null {
  const used = placeholdersIn(template).filter(({ name }) => isPlaceholder(name));
  if (used.some((each) => textOf(each, values) === null)) return null;
  return template.replaceAll(placeholder, (whole, name: string, rest = '') =>
    isPlaceholder(name) ? write(textOf(written(name, String(rest)), values) ?? '') : whole,
  );
}

function textOf(
  { name, default: standard }: Pick<WrittenPlaceholder, 'name' | 'default'>,
  values: Values,
): string | null {
  return texts[name]?.(values) ?? standard ?? null;
}

/** The texts whose placeholders have values, by key. */
export function fillRecord(
  templates: Readonly<Record<string, string>>,
  values: Values,
): Readonly<Record<string, string>> {
  const filled = Object.entries(templates).flatMap(([key, template]) => {
    const value = fill(template, values);
    return value === null ? [] : [[key, value] as const];
  });
  return Object.fromEntries(filled);
}

/** Fills in the placeholders in the texts of a JSON value; undefined for a text without a value. */
export function fillJson(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template)
    .map(([key, value]) => [key, fillJson(value, values)] as const)
    .filter(([, value]) => value !== undefined);
  return Array.isArray(template) ? filled.map(([, value]) => value) : Object.fromEntries(filled);
}

function fillText(template: string, values: Values): unknown {
  const [, only = ''] = onlyPlaceholder.exec(template) ?? [];
  const list = lists[only];
  if (list !== undefined) return list(values) ?? undefined;
  const value = fill(template, values);
  if (value === null) return undefined;
  return numbers.includes(only) ? Number(value) : value;
}

/** All texts in a JSON value except keys. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function compact(day: string | null): string | null {
  return day?.replaceAll('-', '') ?? null;
}

/** The day after the same day of the year before, so that both days span less than a year. */
function yearBefore(day: string | undefined): string | null {
  if (day === undefined) return null;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 364);
  return date.toISOString().slice(0, 10);
}
