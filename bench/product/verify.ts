import type { App } from '../../src/app/app.ts';
import { timed } from '../support/figures.ts';

/** Verifies all invariants of the product. */
export async function verify(app: App): Promise<{ seconds: number; findings: readonly string[] }> {
  const { seconds, value } = await timed(() => app.work.verify.check());
  const findings = value
    .filter((report) => report.status === 'broken')
    .map(
      (report) =>
        `invariant ${report.number}, ${report.brokenCount} findings: ${report.broken.slice(0, 3).join('; ')}`,
    );
  return { seconds, findings };
}
