import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noDetails, type AdDetails } from '../../../../../src/core/ads/ad-details.ts';
import { parseDetails, toDetailsJson } from '../../../../../src/core/ads/ad-details-json.ts';
import { hasContent } from '../../../../../src/core/ads/known-details.ts';

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const text = orNull(fc.stringMatching(/^[\p{L}\p{N} .:"'\\-]{1,20}$/u));
const day = orNull(
  fc
    .date({ min: new Date('2018-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const count = orNull(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
/** Null instead of an object without any value: both say the same, and JSON has one spelling. */
const known = <T extends object>(record: fc.Arbitrary<T>) =>
  record.map((value) => (Object.values(value).every((each) => each === null) ? null : value));
const timesShown = known(fc.record({ lower: count, upper: count, availableOn: day }));
const name = fc.constantFrom('SEARCH', 'YOUTUBE', 'DE', 'EEA', 'MAPS');

const details: fc.Arbitrary<AdDetails> = fc.record({
  daysShown: count,
  targetDomain: text,
  previewUrl: orNull(fc.webUrl({ withQueryParameters: true }).filter((url) => !/["'<>]/.test(url))),
  topic: text,
  payer: text,
  isGrantFunded: orNull(fc.boolean()),
  targeting: known(
    fc.record({
      demographicInfo: text,
      geoLocation: text,
      contextualSignals: text,
      customerLists: text,
      topicsOfInterest: text,
    }),
  ),
  regions: fc.array(
    fc.record({
      region: name,
      firstShown: day,
      lastShown: day,
      timesShown,
      timesShownFrom: day,
      timesShownTo: day,
      surfaces: fc.array(fc.record({ surface: name, timesShown }), { maxLength: 3 }),
    }),
    { maxLength: 4 },
  ),
  advertiser: known(fc.record({ legalName: text, location: text, verification: text })),
});

test('details are equal after they are written as JSON and parsed', () => {
  fc.assert(
    fc.property(details, (each) => {
      const parsed: unknown = JSON.parse(JSON.stringify(toDetailsJson(each)));
      expect(parseDetails(parsed)).toEqual(hasContent(each) ? each : null);
    }),
  );
});

test('any value is parsed: fields in another form are null, and nothing known is null', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parseDetails(value)).toBeNull();
    }),
  );
  const odd = {
    days_shown: '3',
    preview_url: 'javascript:alert(1)',
    regions: [{ region: 'DE', last_shown: 'x' }, {}],
  };
  expect(parseDetails({ ...odd, topic: 'a\0b', platform: 'new' })).toEqual({
    ...noDetails,
    topic: 'a\uFFFDb',
    regions: [
      {
        region: 'DE',
        firstShown: null,
        lastShown: null,
        timesShown: null,
        timesShownFrom: null,
        timesShownTo: null,
        surfaces: [],
      },
    ],
  });
  expect(parseDetails({ payer: '' })).toBeNull();
});
