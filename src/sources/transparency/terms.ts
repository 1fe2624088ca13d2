import type { SourceLimits } from '../../core/sources/source-call.ts';

/** Terms that an operator must accept before this source makes a call (recorded replies). */
export const transparencyTerms =
  "The Ads Transparency Center's terms (https://adstransparency.google.com/terms) allow its use for your own or your organization's " +
  'information or research only. They forbid selling or monetizing any part of it; charging others credits may count as that. ' +
  "They also forbid using an advertiser's content without permission, unless the law allows it. The interface is undocumented, and " +
  "Google's general terms apply to automated access. Names of advertisers can be personal data";

/**
 * Limits for the service, which states none itself: one call at a time, and one every 4 s. A call may start up to a fifth of
 * that late, and is sent up to 1 s after its reservation (`createCallGap`), so that calls are never less than 2.2 s apart,
 * whichever processes make them. After about 20 calls in a row the service has shown a captcha (recorded replies).
 */
export const transparencyLimits: SourceLimits = {
  pace: { requestsPerSecond: 1 / 4, burst: 1 },
  concurrency: 1,
  callsPerDay: null,
  // Our choice: a page takes a second or two.
  deadlineMs: 30_000,
};
