import { makeBlocks } from '../../../db/stores/results/make-blocks.ts';
import { rowsPerBlock } from '../../../src/core/batches/row-blocks.ts';
import { openTestConsole, type TestConsole } from '../browser/test-console.ts';
import type { TestApiOptions } from '../api/test-api.ts';
import { uploadBatch, waitForState } from '../api/uploaded-batch.ts';
import { generateAds, type StandInAd } from '../stand-in/stand-in-ads.ts';

/** A server with a finished batch that has rows of every kind, and ads with distinct texts. */
export interface ResultFixture {
  readonly service: TestConsole;
  readonly key: string;
  readonly batch: string;
  readonly close: () => Promise<void>;
}

/** Number of rows of the batch. */
export const fixtureRows = 150;
export const fixtureBlocks = Math.ceil(fixtureRows / rowsPerBlock);

/**
 * A large generated file of companies: some twice, some without a domain, some without a name, each with a note and most with an
 * address.
 */
export async function openResultFixture(options: Pick<TestApiOptions, 'queue'> = {}): Promise<ResultFixture> {
  const service = await openTestConsole({ ...options, ads: adsOf });
  await service.createAccount('results', 1000n);
  const key = await service.createKey({ account: 'results' });
  const batch = await uploadBatch(service, key, listText());
  await waitForState(service, key, batch, 'finished');
  return { service, key, batch, close: () => service.close() };
}

/** Creates the blocks of the batch, which happens automatically only for large ones. */
export async function makeAllBlocks({
  service,
  batch,
}: Pick<ResultFixture, 'service' | 'batch'>): Promise<number> {
  const { app, owner } = service.database;
  const found = await owner.pool.query<{ id: string }>(
    'SELECT id FROM nightshift.batches WHERE public_id = $1',
    [batch],
  );
  await makeBlocks(app.sql, Number(found.rows[0]?.id), { first: 0, last: fixtureBlocks });
  const { rows } = await owner.pool.query('SELECT FROM nightshift.search_blocks');
  return rows.length;
}

const notes = [
  '',
  'Met in Hanover, wants a quote',
  'RENEWAL due in März',
  'asked twice; 100% sure',
  'under_score',
  'copied\x1efrom a terminal',
];
const addresses = ['jane@example.com', 'Sales@Example.com', 'no-at-sign', 'max@nowhere.invalid', ''];

function listText(): string {
  const rows = Array.from({ length: fixtureRows }, (_, i) => {
    if (i % 29 === 7) return ['', '', 'nothing to look up', ''];
    const company = i % 11 === 3 ? i - 3 : i;
    const hasDomain = company % 5 !== 4;
    return [
      hasDomain ? `https://www.Company-${company}.com/contact` : '',
      hasDomain ? '' : `Firm ${company} GmbH`,
      notes[i % notes.length] ?? '',
      addresses[i % addresses.length] ?? '',
    ];
  });
  const lines = [['website', 'company', 'note', 'email'], ...rows];
  return lines.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
}

/** Ads of advertisers that have several companies, with one rare format. */
function adsOf(company: string): readonly StandInAd[] {
  const ads = generateAds(company, 3);
  return ads.map((ad, i) => ({
    ...ad,
    advertiser_id: `AR${company.length}${i % 2}`,
    advertiser_name: i % 2 === 0 ? `Agency ${company.length}` : `${company} Ads`,
    format: company.endsWith('7.com') && i === 0 ? 'Carousel' : ad.format,
    headline: i % 3 === 0 ? `Renewal sale, 100% off at ${company}` : ad.headline,
  }));
}
