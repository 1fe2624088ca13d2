import { advertiserIdOf, creativeRows, type CreativeRow } from './creative-rows.ts';

/** Data of the vendors whose APIs are mapped. */
export interface VendorFixture {
  /** Ads by domain, or by advertiser id. */
  readonly ads: (whose: string) => readonly CreativeRow[];
  readonly suggestions: (name: string) => {
    readonly advertisers: readonly { readonly id: string; readonly name: string }[];
    readonly domains: readonly string[];
  };
}

/** Page of creatives of `acme.com`. */
export const acmeRows = creativeRows(1);
/** Advertiser with most of them, and the next one. */
export const [acmeRetail, acmeInc] = [advertiserIdOf(1, 1), advertiserIdOf(1, 2)];

/** `acme.com` has 40 ads, `big.com` 160; `Acme` is known by its domain, `Gadget Works` only by its advertisers. */
export const vendorFixture: VendorFixture = {
  ads: (whose) => {
    if (whose === 'acme.com') return acmeRows;
    if (whose === 'big.com') return [1, 2, 3, 4].flatMap(creativeRows);
    return acmeRows.filter((row) => row.advertiserId === whose);
  },
  suggestions: (name) => {
    if (name === 'Acme')
      return {
        advertisers: [{ id: advertiserIdOf(9, 1), name: 'Acmey' }],
        domains: ['acmerock.com', 'acme.com'],
      };
    if (name !== 'Gadget Works') return { advertisers: [], domains: [] };
    return {
      advertisers: [
        { id: advertiserIdOf(9, 2), name: 'Gadget Worksop' },
        { id: acmeRetail, name: 'Gadget Works Inc.' },
        { id: acmeInc, name: 'GADGET WORKS' },
      ],
      domains: ['gadgetworkshop.com'],
    };
  },
};
