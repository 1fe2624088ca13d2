/** A row of the stand-in's `creative_stats`, with the columns that the project reads. Always synthetic. */
export interface StandInCreative {
  readonly advertiser_id: string;
  readonly creative_id: string;
  readonly ad_format_type: string | null;
  readonly advertiser_disclosed_name: string | null;
  readonly advertiser_legal_name: string | null;
  readonly advertiser_location: string | null;
  readonly region_stats: readonly StandInRegion[];
}

export interface StandInRegion {
  readonly region_code: string;
  readonly first_shown: string | null;
  readonly last_shown: string | null;
}

/** A column in `tables.get` and in results. */
export interface StandInField {
  readonly name: string;
  readonly type: 'STRING' | 'INTEGER' | 'RECORD';
  readonly mode: 'NULLABLE' | 'REPEATED';
  readonly fields?: readonly StandInField[];
}

const text = (name: string) => ({ name, type: 'STRING', mode: 'NULLABLE' }) as const;

const regionStats = ['region_code', 'first_shown', 'last_shown'].map(text);
const readFields: readonly StandInField[] = [
  ...[
    'advertiser_id',
    'creative_id',
    'ad_format_type',
    'advertiser_disclosed_name',
    'advertiser_legal_name',
    'advertiser_location',
  ].map(text),
  { name: 'region_stats', type: 'RECORD', mode: 'REPEATED', fields: regionStats },
];

/** Columns of the result. */
export const resultFields: readonly StandInField[] = [
  ...readFields,
  { name: 'ads_count', type: 'INTEGER', mode: 'NULLABLE' },
];

/** Columns of the table without the missing ones, by path: `region_stats.last_shown`. */
export function tableFields(missing: readonly string[]): readonly StandInField[] {
  const all = [
    ...readFields.map((field) =>
      field.name === 'region_stats'
        ? {
            ...field,
            fields: [...regionStats, { ...text('times_shown_lower_bound'), type: 'INTEGER' } as const],
          }
        : field,
    ),
    text('creative_page_url'),
    text('topic'),
  ];
  return without(all, missing, '');
}

function without(
  fields: readonly StandInField[],
  missing: readonly string[],
  under: string,
): readonly StandInField[] {
  return fields
    .filter(({ name }) => !missing.includes(`${under}${name}`))
    .map((field) =>
      field.fields === undefined
        ? field
        : { ...field, fields: without(field.fields, missing, `${under}${field.name}.`) },
    );
}

/** Parsed parameters of a query. */
export interface StandInParameters {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly regions: readonly string[];
  readonly max_ads: number;
}

/** A row of the result. */
export type StandInResult = StandInCreative & { readonly ads_count: number };

/** Result of the query, computed in JavaScript: the stand-in does not parse SQL. */
export function answerQuery(
  table: readonly StandInCreative[],
  { ids, names, regions, max_ads: adsMax }: StandInParameters,
): readonly StandInResult[] {
  const isNamed = (name: string | null) => name !== null && names.includes(name.trim().toLowerCase());
  const shown = table
    .filter(
      (row) =>
        ids.includes(row.advertiser_id) ||
        isNamed(row.advertiser_disclosed_name) ||
        isNamed(row.advertiser_legal_name),
    )
    .map((row) => ({
      ...row,
      region_stats: row.region_stats.filter(
        ({ region_code }) => regions.length === 0 || regions.includes(region_code),
      ),
    }))
    .filter(({ region_stats }) => regions.length === 0 || region_stats.length > 0);
  const advertisers = [...new Set(shown.sort(inResultOrder).map((row) => row.advertiser_id))];
  return advertisers.flatMap((id) => {
    const ads = shown.filter((row) => row.advertiser_id === id);
    return ads.slice(0, adsMax).map((row) => ({ ...row, ads_count: ads.length }));
  });
}

function inResultOrder(a: StandInCreative, b: StandInCreative): number {
  return (
    compare(a.advertiser_id, b.advertiser_id) ||
    compare(lastShown(b), lastShown(a)) ||
    compare(a.creative_id, b.creative_id)
  );
}

/** '' if there is none: sorts before every day, like null in BigQuery. */
function lastShown({ region_stats: regions }: StandInCreative): string {
  return regions.map(({ last_shown }) => last_shown ?? '').reduce((a, b) => (a > b ? a : b), '');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Encodes a row as `{f: [{v}, …]}`, repeated columns as lists of `{v}`, numbers as strings. */
export function encodeRow(fields: readonly StandInField[], row: object): unknown {
  const values = new Map<string, unknown>(Object.entries(row));
  return { f: fields.map((field) => ({ v: encodeColumn(field, values.get(field.name)) })) };
}

function encodeColumn(field: StandInField, value: unknown): unknown {
  if (field.mode !== 'REPEATED') return encodeValue(field, value);
  return (value as readonly unknown[]).map((item) => ({ v: encodeValue(field, item) }));
}

function encodeValue(field: StandInField, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return field.fields === undefined ? `${value as string | number}` : encodeRow(field.fields, value);
}
