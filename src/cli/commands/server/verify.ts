import { Writable } from 'node:stream';
import type { InvariantReport } from '../../../core/reports/invariants.ts';
import { exportBatch } from '../../../reporter/export/export-batch.ts';
import type { App } from '../../../app/app.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Checks every invariant of the stored data and prints how many records each check covered. Exits 1 if one is broken. */
export const verify: Command<[], { readonly full?: boolean }> = async ({ app, output }, { full }) => {
  const reports = await checkInvariants(await app(), { isFull: full === true });
  const broken = reports.filter((report) => report.status === 'broken');
  output.result({ holds: broken.length === 0, invariants: reports }, () =>
    verifyText(reports, output.tableColumns()),
  );
  return broken.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

/** Checks every invariant of the stored data. */
export async function checkInvariants(
  app: App,
  { isFull }: { readonly isFull: boolean },
): Promise<readonly InvariantReport[]> {
  const { connection, chunks, ticks } = await app.work.queue();
  return app.work.verify.check({
    isFull,
    // On Postgres, the tables of the queue are checked with all others.
    ...(connection.kind === 'redis' ? { readJobPayloads: chunks.readPayloads } : {}),
    readJobSchedulers: ticks.listSchedulers,
    paces: app.sources.paces,
    exportDigests: (publicId) => exportTwice(app, publicId),
  });
}

/** Formats the reports as a table, with the findings below. */
export function verifyText(reports: readonly InvariantReport[], columnsMax: number): string {
  const table = formatTable(
    ['', 'invariant', 'checked', ''],
    reports.map(({ number, title, checked, status }) => [number, title, checked, status.replace('_', ' ')]),
    columnsMax,
  );
  const findings = reports.flatMap(({ number, broken, brokenCount }) => [
    ...broken.map((finding) => `  ${number}: ${finding}`),
    ...(brokenCount > broken.length ? [`  ${number}: … and ${brokenCount - broken.length} more`] : []),
  ]);
  const verdict =
    findings.length === 0
      ? 'All applicable invariants hold.'
      : `Broken:\n${findings.join('\n')}\nDo not change the database. Report this with the lines above.`;
  return `${table}\n${provedText(reports)}${verdict}`;
}

/** Number of items that were not read again, by invariant. */
function provedText(reports: readonly InvariantReport[]): string {
  const proved = reports.filter((report) => report.proved > 0);
  if (proved.length === 0) return '';
  const counts = proved.map(({ number, proved: items }) => `${number}: ${items.toLocaleString('en')}`);
  return `Proved by an earlier run, and not read again without --full: ${counts.join(', ')}.\n`;
}

/** Exports a batch twice, without storing it, and returns the two checksums. */
async function exportTwice(
  { batches: { reportStore: reports, store: batches } }: App,
  publicId: string,
): Promise<readonly [string, string]> {
  const batch = await batches.readSummary(null, publicId);
  const exportOnce = async () => {
    const target = new Writable({ write: (_chunk, _encoding, done) => done() });
    const createdAt = new Date(0);
    return exportBatch(reports, { batch, format: 'ndjson', shape: 'ads', raw: false, target, createdAt });
  };
  return [(await exportOnce()).sha256, (await exportOnce()).sha256];
}
