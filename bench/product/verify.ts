import type { App } from '../../src/app/app.ts';
import { peakRssMb, timed } from '../support/figures.ts';
import type { VerifyResult } from './tasks.ts';

/** Verifies all invariants of the product, from its checkpoints or with `--full`. */
export async function verify(app: App, isFull: boolean): Promise<VerifyResult> {
  const { seconds, value } = await timed(() => app.work.verify.check({ isFull }));
  const findings = value
    .filter((report) => report.status === 'broken')
    .map(
      (report) =>
        `invariant ${report.number}, ${report.brokenCount} findings: ${report.broken.slice(0, 3).join('; ')}`,
    );
  const rows = value.find(({ number }) => number === 1);
  return { seconds, findings, rows: rows?.checked ?? 0, proved: rows?.proved ?? 0, peakRssMb: peakRssMb() };
}
