import type { ScanPayload } from '../event-payload.ts';
import type { Message } from './message.ts';
import { chosenNameText, counted, countsOf, creditsText, nameText, timeText } from './text.ts';

/** Daily message of a scan. One line if nothing changed and nothing failed. */
export function scanMessage(payload: ScanPayload, timeZone: string | null): Message {
  const place = `at ${counted(payload.companies.total, 'company', 'companies')} of "${chosenNameText(payload.schedule)}"`;
  const scan = `(scan of ${timeText(payload.dueAt, timeZone)})`;
  const [spent, left] = [creditsText(payload.credits.spent), creditsText(payload.credits.left)];
  const { failed } = payload.companies;
  const isQuiet = Object.values(payload.changes).every((count) => count === 0);
  if (isQuiet && failed === 0)
    return oneLine(`Nothing changed ${place} ${scan}; ${spent} credits spent, ${left} left.`);
  return {
    headline: `${headlineOf(payload, isQuiet)} ${place} ${scan}`,
    fields: [
      ...(isQuiet ? [] : [{ label: 'Ads', text: changesText(payload) }]),
      ...(payload.top.length === 0 ? [] : [{ label: 'Most at', text: topText(payload) }]),
      { label: 'Companies', text: companiesText(payload) },
      { label: 'Credits', text: `${spent} spent, ${left} left` },
    ],
    steps: failed === 0 || payload.retryCommand === null ? [] : [retryOf(failed, payload.retryCommand)],
  };
}

function oneLine(headline: string): Message {
  return { headline, fields: [], steps: [] };
}

function headlineOf({ changes, companies }: ScanPayload, isQuiet: boolean): string {
  if (isQuiet && companies.failed === companies.total) return 'All lookups failed';
  if (isQuiet) return 'Nothing changed';
  const [begun, ended] = [changes.new + changes.reactivated, changes.ended];
  const ads = begun + ended === 1 ? 'ad' : 'ads';
  if (begun + ended > 0)
    return `${countsOf(
      [
        [begun, 'new'],
        [ended, 'ended'],
      ],
      ' and ',
    )} ${ads}`;
  if (changes.changed > 0) return `${counted(changes.changed, 'changed ad')}`;
  return `${counted(changes.baseline, 'ad')} noted for the first time`;
}

function changesText({ changes }: ScanPayload): string {
  return countsOf([
    [changes.new, 'new'],
    [changes.reactivated, 'running again'],
    [changes.ended, 'ended'],
    [changes.changed, 'changed'],
    [changes.baseline, 'noted for the first time'],
  ]);
}

/** Maximum number of companies in the message. */
const topMax = 5;

function topText({ top }: ScanPayload): string {
  return top
    .slice(0, topMax)
    .map(({ company, ...ads }) => {
      const counts = countsOf([
        [ads.new, 'new'],
        [ads.ended, 'ended'],
      ]);
      return `${nameText(company)} (${counts})`;
    })
    .join(', ');
}

function companiesText({ companies }: ScanPayload): string {
  return countsOf([
    [companies.complete, 'complete'],
    [companies.truncated, 'truncated'],
    [companies.partial, 'partial'],
    [companies.unconfirmed, 'empty and not confirmed'],
    [companies.failed, 'failed'],
  ]);
}

function retryOf(failed: number, command: string): Message['steps'][number] {
  const which = failed === 1 ? 'failed company' : counted(failed, 'failed company', 'failed companies');
  return { what: `Try the ${which} again`, command };
}
