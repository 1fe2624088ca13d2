import type { AdObservation, ListedChange } from '../../core/changes/change-list.ts';
import { createCsvWriter } from '../formats/csv.ts';
import type { Cell } from '../formats/report-row.ts';
import { textBytes } from './report-bytes.ts';

/** Values of an ad that a change may differ in, by the name of their column. */
const compared = {
  format: ({ format }) => format,
  headline: ({ text }) => text?.headline ?? null,
  description: ({ text }) => text?.description ?? null,
  display_url: ({ text }) => text?.displayUrl ?? null,
  final_url: ({ text }) => text?.finalUrl ?? null,
} as const satisfies Readonly<Record<string, (ad: AdObservation) => string | null>>;

/** Columns of the file, in order. */
const columns: Readonly<Record<string, (change: ListedChange) => Cell>> = {
  observed_at: ({ observedAt }) => observedAt.toISOString(),
  schedule: ({ schedule }) => schedule,
  company_domain: ({ companyDomain }) => companyDomain,
  company_name: ({ companyName }) => companyName,
  change: ({ kind }) => kind,
  reason: ({ reason }) => reason,
  advertiser_name: ({ ad }) => ad.advertiserName,
  advertiser_id: ({ ad }) => ad.advertiserId,
  creative_id: ({ ad }) => ad.creativeId,
  ...columnsOf('', ({ ad }) => ad),
  original_url: ({ ad }) => ad.originalUrl,
  ran_from: ({ ranFrom }) => ranFrom,
  ran_to: ({ ranTo }) => ranTo,
  ...columnsOf('before_', ({ before }) => before),
  scan: ({ scan }) => scan,
};

/** Writes changes as CSV, one line each, with the ad now and before. Cells that a spreadsheet would run as a formula are escaped. */
export function changesCsv(changes: AsyncIterable<readonly ListedChange[]>): AsyncIterable<Uint8Array> {
  const header = Object.keys(columns).map((name) => ({ name, own: false }));
  return textBytes(linesOf(changes), createCsvWriter(header));
}

async function* linesOf(changes: AsyncIterable<readonly ListedChange[]>) {
  const cells = Object.values(columns);
  for await (const block of changes) yield block.map((change) => cells.map((cell) => cell(change)));
}

function columnsOf(prefix: string, of: (change: ListedChange) => AdObservation | null): typeof columns {
  return Object.fromEntries(
    Object.entries(compared).map(([name, read]) => [
      `${prefix}${name}`,
      (change: ListedChange) => {
        const ad = of(change);
        return ad === null ? null : read(ad);
      },
    ]),
  );
}
