import { defineLiveSource } from '../definition/source-definition.ts';
import { upstreamShapes } from './recorded-shape.ts';

/** The declaration of the source `upstream`. */
export const upstream = defineLiveSource({
  id: 'upstream',
  label: 'the upstream',
  about: 'a server that speaks the service contract',
  platform: 'google',
  isDefault: true,
  settings: {
    url: {
      kind: 'url',
      name: 'NIGHTSHIFT_UPSTREAM_URL',
      required: true,
      what: 'Base address of a server that speaks the service contract.',
    },
    key: { kind: 'secret', name: 'NIGHTSHIFT_UPSTREAM_KEY', required: true, what: 'The API key there.' },
    idempotent: {
      kind: 'boolean',
      name: 'NIGHTSHIFT_UPSTREAM_IDEMPOTENT',
      default: false,
      what: 'The upstream honours Idempotency-Key: a call that was cut off is sent again under the same key.',
    },
  },
  limits: { kind: 'adjustable', requestsPerSecond: 10, burst: 5, deadlineSeconds: 30 },
  price: {
    kind: 'list',
    amount: '0.2',
    currency: 'credits',
    unit: 'search that found ads',
    note: 'the service contract, section 8',
    since: '2026-01-01',
  },
  unitsPerCompany: () => ({ expected: 1, max: 1 }),
  recordedShapes: upstreamShapes,
  baseUrl: { place: 'NIGHTSHIFT_UPSTREAM_URL', read: ({ url }) => url },
  open: async ({ settings, limits, http, installation }) => {
    const { createUpstreamSource } = await import('./source.ts');
    return createUpstreamSource({ http, limits, installation, ...settings });
  },
});
