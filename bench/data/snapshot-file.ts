import { advertiserLocation, companyName } from './company-names.ts';
import { randomAt } from './random.ts';
import { ownersOf, type Fixture } from './fixture.ts';
import { writeLines } from './write-lines.ts';

/** An ad of a synthetic advertiser, in the form of an export of the public dataset. */
export interface Creative {
  readonly advertiserId: string;
  readonly creativeId: string;
  readonly format: string;
  readonly advertiserName: string;
  readonly firstShown: string;
  readonly lastShown: string;
}

/** Writes the ads of a fixture in the flat CSV form that `snapshot load` reads, unordered like an export. */
export function writeSnapshot(fixture: Fixture, path: string): Promise<void> {
  return writeCreatives(creativesOf(fixture), path);
}

/** Writes ads in the flat CSV form that `snapshot load` reads. */
export async function writeCreatives(creatives: Iterable<Creative>, path: string): Promise<void> {
  await writeLines(path, snapshotLines(creatives));
}

function* snapshotLines(creatives: Iterable<Creative>): Generator<string> {
  yield 'advertiser_id,creative_id,ad_format_type,advertiser_disclosed_name,advertiser_legal_name,advertiser_location,first_shown,last_shown';
  for (const ad of creatives) {
    yield `${ad.advertiserId},${ad.creativeId},${ad.format},${ad.advertiserName},${ad.advertiserName},${advertiserLocation},${ad.firstShown},${ad.lastShown}`;
  }
}

/** A prime far above any number of ads: steps of it visit each ad once. */
const stride = 15_485_863;
/** Formats of ads, as exports name them. */
export const formats = ['TEXT', 'IMAGE', 'VIDEO'];

/** The ads of a fixture, scattered. */
function* creativesOf(fixture: Fixture): Generator<Creative> {
  const owners = ownersOf(fixture);
  for (let k = 0; k < fixture.creatives; k += 1) {
    const ad = (k * stride) % fixture.creatives;
    const owner = owners[ad] ?? 0;
    const first = Math.floor(randomAt(fixture.seed + 3, ad) * 700);
    yield {
      advertiserId: advertiserIdOf(owner),
      creativeId: creativeIdOf(ad),
      format: formats[ad % formats.length] ?? 'TEXT',
      advertiserName: companyName(owner),
      firstShown: dayOf(first),
      lastShown: dayOf(first + Math.floor(randomAt(fixture.seed + 4, ad) * 300)),
    };
  }
}

/** Id of an advertiser, by its index. */
export function advertiserIdOf(owner: number): string {
  return `AR${digits(owner * 7919 + 1)}`;
}

/** Id of an ad, by its index. */
export function creativeIdOf(ad: number): string {
  return `CR${digits(ad * 104_729 + 1)}`;
}

function digits(number: number): string {
  return String(number).padStart(20, '0');
}

const firstDayMs = Date.UTC(2023, 5, 1);

/** Day as `YYYY-MM-DD`, by its number from the first one on. */
export function dayOf(day: number): string {
  return new Date(firstDayMs + day * 86_400_000).toISOString().slice(0, 10);
}
