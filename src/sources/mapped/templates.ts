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
}

export type Placeholder = keyof PlaceholderValues;

/** Placeholders with a number: a JSON text with only the placeholder becomes a number. */
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

/** Placeholders of a text, including unknown ones. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

export function isPlaceholder(name: string): name is Placeholder {
  return names.includes(name);
}

/** Fills in the placeholders of a text with `write`; null if one of them has no value. */
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

/** The texts whose placeholders have values, by key. */
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

/** Fills in the placeholders in the texts of a JSON value; undefined for a text without a value. */
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

/** All texts in a JSON value except keys. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
