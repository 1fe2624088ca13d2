import type { StandInParameters } from './bigquery-table.ts';

/** An error in BigQuery's terms. */
export interface StandInError {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** Request of `jobs.insert`. */
export interface StandInRequest {
  readonly jobId: string | null;
  readonly isDryRun: boolean;
  readonly parameters: StandInParameters;
  readonly maximumBytesBilled: bigint | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** The only table of the stand-in. */
export const standInTable = 'bigquery-public-data.google_ads_transparency_center.creative_stats';

/** Parses the body of `jobs.insert`, strict to the last key, and validates the query as far as possible without parsing SQL. */
export function readInsert(
  body: unknown,
  projectId: string,
  missingColumns: readonly string[],
): StandInRequest | StandInError {
  try {
    return readBody(body, projectId, missingColumns);
  } catch (error) {
    if (error instanceof Refusal) return error.error;
    throw error;
  }
}

class Refusal extends Error {
  readonly error: StandInError;
  constructor(error: StandInError) {
    super(error.message);
    this.error = error;
  }
}

function readBody(body: unknown, projectId: string, missingColumns: readonly string[]): StandInRequest {
  const { configuration, jobReference } = fieldsOf(body, ['configuration', 'jobReference']);
  const reference = fieldsOf(jobReference, ['projectId', 'jobId', 'location']);
  const { dryRun, query: asked } = fieldsOf(configuration, ['dryRun', 'query']);
  // `types` is not a field of BigQuery: Google's client sends its option of that name along.
  const keys = ['query', 'useLegacySql', 'parameterMode', 'queryParameters', 'maximumBytesBilled', 'types'];
  const question = fieldsOf(asked, keys);
  const query = textOf(question['query']);
  if (reference['projectId'] !== projectId) throw invalid('Wrong project in jobReference');
  if ((reference['location'] ?? 'US') !== 'US') throw notFound('Dataset was not found in this location');
  if (question['useLegacySql'] !== false) throw invalidQuery('Legacy SQL has no backticks');
  if (!/^named$/i.test(textOf(question['parameterMode'] ?? 'NAMED')))
    throw invalid('Invalid value for parameterMode');
  checkQuery(query, missingColumns);
  const cap = question['maximumBytesBilled'];
  return {
    jobId: dryRun === true ? null : jobIdOf(reference['jobId']),
    isDryRun: dryRun === true,
    parameters: readParameters(question['queryParameters'], query),
    maximumBytesBilled: cap === undefined ? null : BigInt(textOf(cap)),
  };
}

function checkQuery(query: string, missingColumns: readonly string[]): void {
  const table = /`([^`]+)`/.exec(query)?.[1];
  if (table !== standInTable) throw notFound(`Not found: Table ${table}`);
  const names = missingColumns.map((path) => path.slice(path.lastIndexOf('.') + 1));
  const unknown = names.find((name) => new RegExp(`\\b${name}\\b`).test(query));
  if (unknown !== undefined) throw invalidQuery(`Unrecognized name: ${unknown}`);
}

/** Every parameter in the query must be given, and no others. */
function readParameters(value: unknown, query: string): StandInParameters {
  const given = new Map(listOf(value).map(readParameter));
  const named = new Set([...query.matchAll(/@(\w+)/g)].map(([, name]) => name ?? ''));
  const missing = [...named].find((name) => !given.has(name));
  if (missing !== undefined) throw invalidQuery(`Query parameter '${missing}' not found`);
  const spare = [...given.keys()].find((name) => !named.has(name));
  if (spare !== undefined) throw invalid(`Query parameter '${spare}' is not used`);
  const texts = (name: string) => given.get(name)?.texts ?? [];
  return {
    ids: texts('ids'),
    name_keys: texts('name_keys'),
    regions: texts('regions'),
    max_ads: given.get('max_ads')?.number ?? 0,
    max_advertisers: given.get('max_advertisers')?.number ?? 0,
  };
}

function readParameter(value: unknown): [string, { texts?: readonly string[]; number?: number }] {
  const { name, parameterType, parameterValue } = fieldsOf(value, [
    'name',
    'parameterType',
    'parameterValue',
  ]);
  const { type, arrayType } = fieldsOf(parameterType, ['type', 'arrayType']);
  if (type === 'INT64') {
    // Text by the reference; Google's client sends a JSON number.
    const { value: number } = fieldsOf(parameterValue, ['value']);
    return [textOf(name), { number: typeof number === 'number' ? number : Number(textOf(number)) }];
  }
  if (type !== 'ARRAY' || fieldsOf(arrayType, ['type'])['type'] !== 'STRING')
    throw invalid(`Parameter ${String(name)} is of a type that the query does not take`);
  const { arrayValues } = fieldsOf(parameterValue, ['arrayValues']);
  return [
    textOf(name),
    { texts: listOf(arrayValues).map((each) => textOf(fieldsOf(each, ['value'])['value'])) },
  ];
}

function jobIdOf(value: unknown): string {
  const id = textOf(value);
  if (/^[\w-]{1,1024}$/.test(id)) return id;
  throw invalid(`Invalid job ID "${id}"`);
}

function fieldsOf(value: unknown, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('Not an object');
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalid(`Invalid JSON payload received. Unknown name "${unknown}"`);
  return value as Fields;
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid('Not a list');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalid('Not a string');
}

const invalid = (message: string) => new Refusal({ status: 400, reason: 'invalid', message });
const invalidQuery = (message: string) => new Refusal({ status: 400, reason: 'invalidQuery', message });
const notFound = (message: string) => new Refusal({ status: 404, reason: 'notFound', message });
