import { defineLiveSource } from '../definition/source-definition.ts';
import { surfaces } from '../../core/ads/surfaces.ts';
import { serpapiShape } from './recorded-shape.ts';

/** The declaration of the source `serpapi`. */
export const serpapi = defineLiveSource({
  id: 'serpapi',
  label: 'SerpApi',
  about: "Google's Ads Transparency Center through SerpApi",
  platform: 'google',
  settings: {
    key: { kind: 'secret', name: 'NIGHTSHIFT_SERPAPI_KEY', required: true, what: 'The API key at SerpApi.' },
    url: {
      kind: 'url',
      name: 'NIGHTSHIFT_SERPAPI_URL',
      default: 'https://serpapi.com',
      what: 'Base address of SerpApi.',
    },
    pagesMax: {
      kind: 'integer',
      name: 'NIGHTSHIFT_SERPAPI_PAGES_MAX',
      unit: 'pages',
      default: 2,
      max: 100,
      what: 'Maximum number of pages per company; each costs a search.',
    },
    detailsMax: {
      kind: 'integer',
      name: 'NIGHTSHIFT_SERPAPI_DETAILS_MAX',
      unit: 'ads',
      min: 0,
      default: 0,
      max: 100,
      what: 'Maximum number of ads without a picture per company whose details are requested, for pictures, texts, landing page and regions; each costs a search.',
    },
  },
  limits: { kind: 'adjustable', requestsPerSecond: 0.05, burst: 5, deadlineSeconds: 60 },
  price: {
    kind: 'list',
    amount: '1',
    currency: 'searches',
    unit: 'page of up to 100 ads',
    note: 'as their plans count; empty pages too, and as much for the details of an ad',
    since: '2026-01-01',
  },
  unitsPerCompany: ({ pagesMax }) => ({ expected: 1, max: pagesMax }),
  recordedShapes: [serpapiShape],
  regions: 'all',
  surfaces,
  baseUrl: { place: 'NIGHTSHIFT_SERPAPI_URL', read: ({ url }) => url },
  checkAccount: {
    read: async (options) => {
      const { readSerpapiAccount } = await import('./account.ts');
      return readSerpapiAccount(options);
    },
  },
  open: async ({ settings, limits, http }) => {
    const { createSerpapiSource } = await import('./source.ts');
    return createSerpapiSource({ http, limits, ...settings });
  },
});
