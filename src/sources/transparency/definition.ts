import { defineLiveSource } from '../definition/source-definition.ts';
import { transparencyShape } from './recorded-shape.ts';
import { transparencyLimits, transparencyTerms } from './terms.ts';

/** The declaration of the source `transparency`. */
export const transparency = defineLiveSource({
  id: 'transparency',
  label: 'the Ads Transparency Center',
  about: "the interface behind the pages of Google's Ads Transparency Center; unofficial",
  platform: 'google',
  settings: {
    acceptsTerms: {
      kind: 'boolean',
      name: 'NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS',
      required: true,
      default: false,
      what: 'You have read the terms of the Ads Transparency Center, and what you do with its ads is in keeping with them. Without it the source transparency is off.',
    },
    contact: {
      kind: 'text',
      name: 'NIGHTSHIFT_TRANSPARENCY_CONTACT',
      required: true,
      unit: 'URL or address',
      what: 'Your contact for the site, sent in the User-Agent of every call.',
    },
    url: {
      kind: 'url',
      name: 'NIGHTSHIFT_TRANSPARENCY_URL',
      default: 'https://adstransparency.google.com',
      what: 'Base address of the Ads Transparency Center.',
    },
    pagesMax: {
      kind: 'integer',
      name: 'NIGHTSHIFT_TRANSPARENCY_PAGES_MAX',
      unit: 'pages',
      default: 3,
      max: 5,
      what: 'Maximum number of pages per company; each is a call.',
    },
    detailsMax: {
      kind: 'integer',
      name: 'NIGHTSHIFT_TRANSPARENCY_DETAILS_MAX',
      unit: 'ads',
      min: 0,
      default: 0,
      max: 20,
      what: 'Maximum number of ads without a picture per company whose details are requested, for pictures and regions; each is a call, which takes four seconds.',
    },
  },
  howToTurnOn:
    'NIGHTSHIFT_TRANSPARENCY_CONTACT, and NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS=true if you answer for its terms. ' +
    transparencyTerms,
  terms: {
    acknowledged:
      "its ads are for your own or your organization's information or research, and no part of them may be sold. The " +
      'interface is not documented, and may change or block calls at any time',
    remedy:
      'Keep to https://adstransparency.google.com/terms; taking NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS out turns the source off.',
  },
  limits: { kind: 'fixed', limits: transparencyLimits },
  price: null,
  recordedShapes: [transparencyShape],
  regions: 'all',
  baseUrl: { place: 'NIGHTSHIFT_TRANSPARENCY_URL', read: ({ url }) => url },
  open: async ({ settings: { url, contact, pagesMax, detailsMax }, limits, http, version }) => {
    const { createTransparencySource } = await import('./source.ts');
    return createTransparencySource({ http, limits, url, pagesMax, detailsMax, asker: { version, contact } });
  },
});
