import { digestToken } from '../../core/accounts/token.ts';
import { NotFound } from '../../core/errors.ts';
import { sharedReportPath, type OpenedReport } from '../../core/reports/report-links.ts';
import { pagePolicy } from '../../reporter/documents/html/page.ts';
import { daysUsual, makeBatchReport, makeScheduleReport } from '../../reporter/documents/make-report.ts';
import type { App } from '../../app/app.ts';
import type { ApiContext } from '../http/api-env.ts';
import { takeFailure } from '../http/authorise.ts';
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts';
import type { Router } from '../http/router.ts';
import { missingPage } from './missing-page.ts';
import { createSharedReads } from './shared-reads.ts';

/** Shared reports that one process creates at a time, beside those of signed-in readers. */
const reportLimits = { total: 2, perAccount: 1, waitingPerAccount: 10, what: 'shared reports' };

/** A report that many readers open at the same time is created once. Memory: a report has up to some megabytes. */
const recent = { sizeMax: 4, ageMsMax: 30_000 };

/** Content security policy of the page without a report: like other pages, without scripts and external resources. */
const missingPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Routes the page behind a link to a report, which needs no sign-in. It has no operation in the API document: it is for people. Every link
 * that shows no report gets the same response.
 */
export function routeSharedReports({ http, services, limits }: Router): void {
  const turns = createConcurrencyLimiter(reportLimits);
  const reports = createSharedReads<string>(recent);

  async function missing(c: ApiContext): Promise<Response> {
    await takeFailure(limits, c, 'Too many invalid links to reports from this address');
    c.header('Content-Security-Policy', missingPolicy);
    return c.html(missingPage(), 404);
  }

  http.get(`${sharedReportPath}/:token`, async (c) => {
    c.header('Cache-Control', 'private, no-store');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('X-Robots-Tag', 'noindex, nofollow');
    const opened = await services.accounts.reportLinks.open(digestToken(c.req.param('token')));
    if (opened === null) return missing(c);
    const { accountId, subject } = opened;
    const text = await reports
      .get(`${subject.kind} ${subject.id}`, () => turns.take(accountId, () => makeReport(services, opened)))
      .catch(unlessDeleted);
    if (text === null) return missing(c);
    c.header('Content-Security-Policy', `${pagePolicy(false)}; frame-ancestors 'none'`);
    return c.body(text, 200, { 'Content-Type': 'text/html; charset=utf-8' });
  });
}

async function makeReport(
  { batches: { reportData } }: App,
  { accountId, subject: { kind, id } }: OpenedReport,
): Promise<string> {
  const options = { accountId, format: 'html' } as const;
  const { text } = await (kind === 'batch'
    ? makeBatchReport(reportData, id, options)
    : makeScheduleReport(reportData, id, { ...options, days: daysUsual }));
  return text;
}

/** Null for a batch that was deleted since the link was opened. */
function unlessDeleted(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
