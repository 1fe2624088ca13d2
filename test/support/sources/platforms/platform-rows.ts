import { creativeRows, type CreativeRow } from '../creative-rows.ts';
import type { VendorFixture } from '../vendor-fixture.ts';

/** An ad of a platform whose ids are digits. All data is synthetic. */
export interface PlatformRow extends CreativeRow {
  readonly platformAdvertiserId: string;
  readonly platformAdId: string;
}

/** Id of 16 digits, as the platforms write them. */
export function platformIdOf(id: string): string {
  return `19${id.slice(-14)}`;
}

/** Ads of an advertiser, by its id on the platform. */
export function adsOfAdvertiser(
  fixture: VendorFixture,
  platformAdvertiserId: string,
): readonly PlatformRow[] {
  return allRows(fixture).filter((row) => row.platformAdvertiserId === platformAdvertiserId);
}

function allRows(fixture: VendorFixture): readonly PlatformRow[] {
  const rows = [...fixture.ads('acme.com'), ...[2, 3, 4].flatMap(creativeRows)];
  return rows.map((row) => ({
    ...row,
    platformAdvertiserId: platformIdOf(row.advertiserId),
    platformAdId: platformIdOf(row.creativeId),
  }));
}

/** Advertisers that a platform suggests for a name. `Quiet Works` has one without ads. */
export function advertisersNamed(
  fixture: VendorFixture,
  name: string,
): readonly { readonly id: string; readonly name: string }[] {
  if (name === 'Quiet Works') return [{ id: '1990000000000001', name }];
  return fixture.suggestions(name).advertisers.map((each) => ({ ...each, id: platformIdOf(each.id) }));
}

/** Days of a row. */
export function daysOf({ firstShown, lastShown }: CreativeRow): {
  readonly first: string;
  readonly last: string;
} {
  const [first = '', last = ''] = [firstShown, lastShown].map((at) =>
    new Date(at * 1000).toISOString().slice(0, 10),
  );
  return { first, last };
}
