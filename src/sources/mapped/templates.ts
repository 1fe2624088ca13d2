/** Values of the placeholders in a request; null: none, and the text with it is omitted. */
export interface PlaceholderValues {
  readonly domain: string | null;
  readonly name: string | null;
  /** Several are written with commas between them. */
  readonly advertiser_id: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly region: string | null;
  /** Google's number of the region, `2840` for US. */
  readonly region_number: string | null;
  readonly page_token: string | null;
  readonly ads_max: string | null;
  readonly secret: string | null;
}

export type Placeholder = keyof PlaceholderValues;

/** Placeholders with a number: alone in a JSON text they become one. */
const numbers = ['region_number', 'ads_max'];

const names: readonly string[] = [
  'domain',
  'name',
  'advertiser_id',
  'region',
  'region_number',
  'page_token',
  'ads_max',
  'secret',
] satisfies readonly Placeholder[];

const placeholder = /\{([a-z_]+)\}/g;

/** The placeholders of a text, those that do not exist included. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

export function isPlaceholder(name: string): name is Placeholder {
  return names.includes(name);
}

/** The text with its placeholders filled in, each as `write` says; null when one of them has no value. */
export function fill(
  template: string,
  values: PlaceholderValues,
  write: (value: string) => string = (value) => value,
): string | null {
  const used = placeholdersIn(template).filter(isPlaceholder);
  if (used.some((name) => values[name] === null)) return null;
  return template.replaceAll(placeholder, (whole, name: string) =>
    isPlaceholder(name) ? write(values[name] ?? '') : whole,
  );
}

/** The texts that hold something, by key. */
export function fillRecord(
  templates: Readonly<Record<string, string>>,
  values: PlaceholderValues,
): Readonly<Record<string, string>> {
  const filled = Object.entries(templates).flatMap(([key, template]) => {
    const value = fill(template, values);
    return value === null ? [] : [[key, value] as const];
  });
  return Object.fromEntries(filled);
}

/** A JSON value with the placeholders of its texts filled in; undefined when it is a text that holds nothing. */
export function fillJson(template: unknown, values: PlaceholderValues): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template)
    .map(([key, value]) => [key, fillJson(value, values)] as const)
    .filter(([, value]) => value !== undefined);
  return Array.isArray(template) ? filled.map(([, value]) => value) : Object.fromEntries(filled);
}

function fillText(template: string, values: PlaceholderValues): string | number | undefined {
  const [only] = placeholdersIn(template);
  const value = fill(template, values);
  if (value === null) return undefined;
  return template === `{${only ?? ''}}` && numbers.includes(only ?? '') ? Number(value) : value;
}

/** Every text in a JSON value that is not a key. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
