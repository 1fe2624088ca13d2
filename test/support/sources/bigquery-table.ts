/** A row of the stand-in's `creative_stats`, with the columns that the project reads. Always synthetic. */
export interface StandInCreative {
  readonly advertiser_id: string;
  readonly creative_id: string;
  readonly ad_format_type: string | null;
  readonly advertiser_disclosed_name: string | null;
  readonly advertiser_legal_name: string | null;
  readonly advertiser_location: string | null;
  readonly advertiser_verification_status: string | null;
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
    'advertiser_verification_status',
  ].map(text),
  { name: 'region_stats', type: 'RECORD', mode: 'REPEATED', fields: regionStats },
];

/** Columns of the result. */
export const resultFields: readonly StandInField[] = [
  ...readFields,
  { name: 'name_keys', type: 'STRING', mode: 'REPEATED' },
  ...['ads_count', 'advertisers_count'].map((name) => ({ name, type: 'INTEGER', mode: 'NULLABLE' }) as const),
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
  readonly name_keys: readonly string[];
  readonly regions: readonly string[];
  readonly max_ads: number;
  readonly max_advertisers: number;
}

/** A row of the result. */
export type StandInResult = StandInCreative & {
  readonly name_keys: readonly string[];
  readonly ads_count: number;
  readonly advertisers_count: number;
};

/** Result of the query, computed in JavaScript: the stand-in does not parse SQL. */
export function answerQuery(
  table: readonly StandInCreative[],
  { ids, name_keys: keys, regions, max_ads: adsMax, max_advertisers: advertisersMax }: StandInParameters,
): readonly StandInResult[] {
  const isWanted = new Set(keys);
  const shown = table
    .map((row) => ({
      ...row,
      name_keys: [row.advertiser_disclosed_name, row.advertiser_legal_name]
        .flatMap((name) => (name === null ? [] : keysInName(name)))
        .filter((key, i, all) => isWanted.has(key) && all.indexOf(key) === i),
      region_stats: row.region_stats.filter(
        ({ region_code }) => regions.length === 0 || regions.includes(region_code),
      ),
    }))
    .filter((row) => ids.includes(row.advertiser_id) || row.name_keys.length > 0)
    .filter(({ region_stats }) => regions.length === 0 || region_stats.length > 0)
    .sort(inResultOrder);
  const advertisers = [...new Set(shown.map((row) => row.advertiser_id))]
    .map((id) => ({ id, rows: shown.filter((row) => row.advertiser_id === id) }))
    .map(({ id, rows }) => ({
      id,
      rows,
      letters: Math.min(
        ...rows.map((row) => (row.advertiser_disclosed_name ?? row.advertiser_legal_name ?? '').length),
      ),
      keys: new Set(ids.includes(id) ? [] : rows.slice(0, adsMax).flatMap((row) => row.name_keys)),
    }));
  const ranks = new Map(
    keys.map((key) => {
      const having = advertisers.filter((each) => each.keys.has(key));
      having.sort(
        (a, b) =>
          (key.startsWith('.') ? 0 : a.letters - b.letters) ||
          b.rows.length - a.rows.length ||
          compare(a.id, b.id),
      );
      return [key, having.map(({ id }) => id)] as const;
    }),
  );
  return advertisers.flatMap(({ id, rows, keys: having }) => {
    const within = [...having].filter((key) => (ranks.get(key) ?? []).indexOf(id) < advertisersMax);
    if (within.length === 0 && !ids.includes(id)) return [];
    const counted = within.filter((key) => !key.startsWith('.'));
    const advertisersCount = Math.max(0, ...counted.map((key) => ranks.get(key)?.length ?? 0));
    return rows
      .slice(0, adsMax)
      .map((row) => ({ ...row, ads_count: rows.length, advertisers_count: advertisersCount }));
  });
}

const accents = /[\u0300-\u036F]/g;
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

/** The keys of a name: neighbouring words written together, with and without `and`, the beginnings of words, and initials. */
export function keysInName(name: string): readonly string[] {
  const folded = name
    .replace(/[™℠®©\p{Cf}'’‘ʼ`´′]/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(accents, '')
    .normalize('NFKC')
    .replace(/[øđðħłŧıæœþ]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’‘ʼ`´′]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll('+', ' plus ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
    .replace(/([aou])e/g, '$1');
  return [folded, folded.replaceAll(' and ', ' ')].flatMap((spelling) => {
    const words = spelling.split(' ');
    const runs = words.flatMap((_, from) =>
      words.slice(from, from + 8).map((__, n) => words.slice(from, from + n + 1).join('')),
    );
    const beginnings = words.flatMap((word) => {
      const points = [...word];
      return points.slice(4, 25).map((__, n) => points.slice(0, n + 4).join(''));
    });
    const initials = [3, 4, 5].flatMap((count) =>
      words.length < count
        ? []
        : [
            `.${words
              .slice(0, count)
              .map((word) => [...word][0] ?? '')
              .join('')}`,
          ],
    );
    return [...runs, ...beginnings, ...initials];
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
