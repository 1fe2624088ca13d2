import { defineLiveSource } from '../definition/source-definition.ts';
import { dataForSeoShape } from './recorded-shape.ts';

/** The declaration of the source `dataforseo`. */
export const dataforseo = defineLiveSource({
  id: 'dataforseo',
  label: 'DataForSEO',
  about: "Google's Ads Transparency Center through DataForSEO",
  platform: 'google',
  settings: {
    login: {
      kind: 'secret',
      name: 'NIGHTSHIFT_DATAFORSEO_LOGIN',
      required: true,
      what: 'The login at DataForSEO.',
    },
    password: {
      kind: 'secret',
      name: 'NIGHTSHIFT_DATAFORSEO_PASSWORD',
      required: true,
      what: 'The API password there.',
    },
    url: {
      kind: 'url',
      name: 'NIGHTSHIFT_DATAFORSEO_URL',
      default: 'https://api.dataforseo.com',
      what: 'Base address of DataForSEO.',
    },
  },
  limits: { kind: 'adjustable', requestsPerSecond: 30, burst: 5, deadlineSeconds: 120 },
  price: {
    kind: 'list',
    amount: '0.002',
    currency: 'USD',
    unit: '40 ads, or a part of them',
    note: 'live; empty answers count as one',
    since: '2026-01-01',
  },
  // Of 120 ads, the default; a search by name is one more.
  unitsPerCompany: () => ({ expected: 1, max: 4 }),
  recordedShapes: [dataForSeoShape],
  regions: 'all',
  baseUrl: { place: 'NIGHTSHIFT_DATAFORSEO_URL', read: ({ url }) => url },
  checkAccount: {
    read: async (options) => {
      const { readDataForSeoAccount } = await import('./account.ts');
      return readDataForSeoAccount(options);
    },
  },
  open: async ({ settings: { url, ...credentials }, limits, http }) => {
    const { createDataForSeoSource } = await import('./source.ts');
    return createDataForSeoSource({ http, limits, url, credentials });
  },
});
