/** A creative as the transparency center shows it, independent of a vendor's format. All data is synthetic. */
export interface CreativeRow {
  readonly advertiserId: string;
  readonly creativeId: string;
  readonly advertiserName: string;
  readonly format: 'text' | 'image' | 'video';
  /** Null: there is only a preview script. */
  readonly image: { readonly url: string; readonly height: number; readonly width: number } | null;
  /** Seconds since 1970. */
  readonly firstShown: number;
  readonly lastShown: number;
}

/**
 * A page of 40 creatives in the proportions of a captured one: 36 text ads of which 29 are shown as pictures, three image ads and
 * a video without any picture, and three advertisers with 34, 5 and 1 of them. Most recently shown first, like Google.
 */
export function creativeRows(seed: number): readonly CreativeRow[] {
  return Array.from({ length: 40 }, (_, n): CreativeRow => {
    const [advertiser, advertiserName] = advertiserOf(n);
    const firstShown = 1_700_196_259 - n * 86_400 * 3;
    return {
      advertiserId: advertiserIdOf(seed, advertiser),
      creativeId: `CR${String(seed * 100 + n).padStart(20, '0')}`,
      advertiserName,
      format: formatOf(n),
      image: n < 29 ? imageOf(seed, n) : null,
      firstShown,
      lastShown: 1_782_991_153 - n * 86_400,
    };
  });
}

/** Id of an advertiser of a page; the first has most of the ads. */
export function advertiserIdOf(seed: number, advertiser: number): string {
  return `AR${String(seed * 100 + advertiser).padStart(20, '0')}`;
}

function formatOf(n: number): CreativeRow['format'] {
  if (n === 39) return 'video';
  return n < 36 ? 'text' : 'image';
}

function advertiserOf(n: number): readonly [number, string] {
  if (n === 7) return [3, '유한회사 아크메코리아'];
  return n % 8 === 1 ? [2, 'Acme, Inc.'] : [1, 'Acme Retail BV'];
}

function imageOf(seed: number, n: number) {
  const url = `https://tpc.googlesyndication.com/archive/simgad/${seed}${String(n).padStart(4, '0')}`;
  return { url, height: 200 + n, width: 380 };
}
