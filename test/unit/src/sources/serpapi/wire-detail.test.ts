import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDetail } from '../../../../../src/sources/serpapi/wire-detail.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const search_metadata = { status: 'Success' };
const image = 'https://tpc.googlesyndication.com/archive/simgad/1';
const replyWith = (...variations: readonly unknown[]) => ({ search_metadata, ad_creatives: variations });
const parse = (reply: unknown) => parseDetail(JSON.stringify(reply));

describe('details of an ad', () => {
  test('have a variant for each picture, with its size', () => {
    const { variants } = parse(replyWith({ image, width: 348, height: 451 }, { image }, {}));
    expect(variants).toEqual([
      { content: `<img src="${image}" height="451" width="348">`, height: 451, width: 348 },
      { content: `<img src="${image}">`, height: null, width: null },
    ]);
  });

  test('have the texts of the first variation with any, and the video as a preview', () => {
    const video_link = 'https://www.youtube.com/watch?v=1';
    const { text, beside } = parse(
      replyWith({ headline: '' }, { title: 'T', long_headline: null, video_link }, { snippet: 'S' }),
    );
    const none = { description: null, displayUrl: null, finalUrl: null, adType: null };
    expect(text).toEqual({ headline: 'T', ...none });
    expect(beside).toEqual({ previewUrl: video_link, payer: null, regions: [] });
  });

  test('leave out regions that are none, and bounds and days in another form', () => {
    const regions = [
      { region: 2276, last_shown: 20_260_903, times_shown: 'many' },
      { region: 'DE' },
      { region: 1, last_shown: 20_260_903 },
      { region: 2250, last_shown: 20_261_399 },
    ];
    const read = (list: unknown) =>
      parse({ ...replyWith({ image }), search_information: { regions: list } }).beside.regions ?? [];
    expect(read(regions).map(({ region, lastShown, timesShown }) => [region, lastShown, timesShown])).toEqual(
      [
        ['DE', '2026-09-03', null],
        // No such day, so it counts as seconds.
        ['FR', '1970-08-23', null],
      ],
    );
    expect(read('none')).toEqual([]);
  });

  test('may be empty if the reply says so', () => {
    const error = "Google hasn't returned any results for this query.";
    expect(parse({ search_metadata, error })).toEqual({
      variants: [],
      text: null,
      beside: { previewUrl: null, payer: null, regions: [] },
    });
  });

  test.each<[string, unknown]>([
    ['no variation', replyWith()],
    ['another error', { search_metadata, error: 'Failed' }],
    ['a failed search', { ...replyWith({ image }), search_metadata: { status: 'Error' } }],
    ['an unknown key in place of the picture', replyWith({ picture: image })],
    ['a picture that is no URL', replyWith({ image: 'javascript:alert(1)' })],
    ['a headline that is a number', replyWith({ headline: 1 })],
  ])('are unreadable with %s', (_, reply) => {
    expect(() => parse(reply)).toThrow(SourceUnreadable);
  });

  test('are parsed or unreadable for any JSON', () => {
    const keys = fc.constantFrom('image', 'headline', 'link', 'video_link', 'other');
    const variation = fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.constant(image)));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.array(variation).map((each) => replyWith(...each)),
        ),
        (reply) => {
          try {
            parse(reply);
          } catch (error) {
            expect(error).toBeInstanceOf(SourceUnreadable);
          }
        },
      ),
    );
  });
});
