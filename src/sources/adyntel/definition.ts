import { defineLiveSource } from '../definition/source-definition.ts';
import { adyntelShape } from './recorded-shape.ts';

/** The declaration of the source `adyntel`. */
export const adyntel = defineLiveSource({
  id: 'adyntel',
  label: 'Adyntel',
  about: "Google's Ads Transparency Center through Adyntel",
  platform: 'google',
  settings: {
    key: { kind: 'secret', name: 'NIGHTSHIFT_ADYNTEL_KEY', required: true, what: 'The API key at Adyntel.' },
    email: {
      kind: 'secret',
      name: 'NIGHTSHIFT_ADYNTEL_EMAIL',
      required: true,
      what: 'The address of the account there.',
    },
    url: {
      kind: 'url',
      name: 'NIGHTSHIFT_ADYNTEL_URL',
      default: 'https://api.adyntel.com',
      what: 'Base address of Adyntel.',
    },
    pagesMax: {
      kind: 'integer',
      name: 'NIGHTSHIFT_ADYNTEL_PAGES_MAX',
      unit: 'pages',
      default: 2,
      max: 100,
      what: 'Maximum number of pages per company; each costs a credit.',
    },
    is204None: {
      kind: 'boolean',
      name: 'NIGHTSHIFT_ADYNTEL_204_IS_NONE',
      default: true,
      what: 'A response 204 of Adyntel means that there are no ads, according to its users. With false such a response is unreadable, and each is paid for.',
    },
  },
  limits: { kind: 'adjustable', requestsPerSecond: 1, burst: 2, deadlineSeconds: 90 },
  price: {
    kind: 'list',
    amount: '1',
    currency: 'credits',
    unit: 'page of ads',
    note: 'as their plans count',
    since: '2026-01-01',
  },
  unitsPerCompany: ({ pagesMax }) => ({ expected: 1, max: pagesMax }),
  recordedShapes: [adyntelShape],
  baseUrl: { place: 'NIGHTSHIFT_ADYNTEL_URL', read: ({ url }) => url },
  open: async ({ settings, limits, http }) => {
    const { createAdyntelSource } = await import('./source.ts');
    return createAdyntelSource({ http, limits, ...settings });
  },
});
