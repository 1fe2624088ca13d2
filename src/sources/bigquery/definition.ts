import { defineLiveSource } from '../definition/source-definition.ts';
import { googleUrl } from './google-url.ts';
import { heldRegion } from './held-regions.ts';

/** Size of what a query reads, in GiB. */
const usualGib = 45;

/** Bytes of a GiB. */
const gib = 2n ** 30n;

/** The declaration of the source `bigquery`. */
export const bigquery = defineLiveSource({
  id: 'bigquery',
  label: 'BigQuery',
  about: "Google's public dataset of ads, with one query for a whole window of companies",
  platform: 'google',
  settings: {
    projectId: {
      kind: 'text',
      name: 'NIGHTSHIFT_BIGQUERY_PROJECT',
      required: true,
      unit: 'project id',
      what: 'The Google Cloud project that runs the queries and pays for them.',
    },
    keyFile: {
      kind: 'text',
      name: 'NIGHTSHIFT_BIGQUERY_KEY_FILE',
      unit: 'file',
      what: 'The key file (JSON) of a service account with the role BigQuery Job User.',
    },
    url: {
      kind: 'url',
      name: 'NIGHTSHIFT_BIGQUERY_URL',
      default: googleUrl,
      what: 'Base address of the BigQuery API.',
    },
    gibMax: {
      kind: 'integer',
      name: 'NIGHTSHIFT_BIGQUERY_MAX_GIB',
      unit: 'GiB',
      default: 100,
      max: 100_000,
      what: 'Maximum amount that one query may read. A query reads about 45 GiB, for one company as for 5,000.',
    },
  },
  howToTurnOn: 'NIGHTSHIFT_BIGQUERY_PROJECT and NIGHTSHIFT_BIGQUERY_KEY_FILE',
  limits: { kind: 'adjustable', requestsPerSecond: 1, burst: 1, deadlineSeconds: 600 },
  price: {
    kind: 'list',
    amount: '6.25',
    currency: 'USD',
    unit: 'TiB read',
    note: 'on demand, US; the first TiB of a month is free',
    since: '2026-01-01',
  },
  unitsPerCompany: ({ gibMax }) => ({ expected: Math.min(usualGib, gibMax) / 1024, max: gibMax / 1024 }),
  checkedBy: 'its schema',
  // With their keys in arrays, far below the 10 MB that a request may have.
  companiesPerCall: 5000,
  regions: { validate: (region) => void (region === null ? null : heldRegion(region)) },
  baseUrl: { place: 'NIGHTSHIFT_BIGQUERY_URL', read: ({ url }) => url },
  open: async ({ settings: { url, projectId, keyFile, gibMax }, limits, http: { send } }) => {
    const { readServiceAccount } = await import('./read-service-account.ts');
    const { createBigQuerySource } = await import('./source.ts');
    const credentials = keyFile === null ? null : await readServiceAccount(keyFile);
    const maximumBytesBilled = BigInt(gibMax) * gib;
    return createBigQuerySource({ send, limits, url, projectId, credentials, maximumBytesBilled });
  },
});
