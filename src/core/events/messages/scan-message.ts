import type { ScanPayload } from '../event-payload.ts';
import type { Message } from './message.ts';
import { chosenNameText, counted, countsOf, creditsText, nameText, timeText } from './text.ts';

/** Message of a scan. One line if nothing changed and every company has a complete answer. */
export function scanMessage(payload: ScanPayload, timeZone: string | null): Message {
  const scan = `(scan of ${timeText(payload.dueAt, timeZone)})`;
  const [spent, left] = [creditsText(payload.credits.spent), creditsText(payload.credits.left)];
  const { failed } = payload.companies;
  const isQuiet = Object.values(payload.changes).every((count) => count === 0);
  const headline = `${headlineOf(payload, isQuiet)} ${placeText(payload, isQuiet)} ${scan}`;
  if (isQuiet && unansweredOf(payload) === 0)
    return oneLine(`${headline}; ${spent} credits spent, ${left} left.`);
  return {
    headline,
    fields: [
      ...(isQuiet ? [] : [{ label: 'Ads', text: changesText(payload) }]),
      ...(payload.top.length === 0 ? [] : [{ label: 'Most at', text: topText(payload) }]),
      { label: 'Companies', text: companiesText(payload) },
      { label: 'Credits', text: `${spent} spent, ${left} left` },
    ],
    steps: [
      ...(totalOf(payload.changes) === payload.changes.baseline ? [] : [listingOf(payload)]),
      ...(failed === 0 || payload.retryCommand === null ? [] : [retryOf(failed, payload.retryCommand)]),
    ],
  };
}

/** Number of companies without a complete answer: no one can tell whether their ads changed. */
function unansweredOf({ companies: { partial, unconfirmed, failed } }: ScanPayload): number {
  return partial + unconfirmed + failed;
}

function totalOf(changes: ScanPayload['changes']): number {
  return Object.values(changes).reduce((sum, count) => sum + count, 0);
}

/** The companies of a headline. "Nothing changed" never speaks of a company without a complete answer. */
function placeText(payload: ScanPayload, isQuiet: boolean): string {
  const { total } = payload.companies;
  const companies = `${counted(total, 'company', 'companies')} of "${chosenNameText(payload.schedule)}"`;
  if (!isQuiet) return `${total === 1 ? 'at' : 'among'} ${companies}`;
  const answered = total - unansweredOf(payload);
  return answered === total || answered === 0
    ? `at ${companies}`
    : `at ${answered.toLocaleString('en-US')} of ${companies}`;
}

function oneLine(headline: string): Message {
  return { headline, fields: [], steps: [] };
}

function headlineOf({ changes, companies }: ScanPayload, isQuiet: boolean): string {
  if (isQuiet && companies.failed === companies.total) return 'All lookups failed';
  if (isQuiet && companies.complete + companies.truncated === 0) return 'No complete answer';
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
  return `First scan: ${counted(changes.baseline, 'ad')} recorded`;
}

function changesText({ changes }: ScanPayload): string {
  return countsOf([
    [changes.new, 'new'],
    [changes.reactivated, 'running again'],
    [changes.ended, 'ended'],
    [changes.changed, 'changed'],
    [changes.baseline, 'recorded for the first time'],
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
    [companies.unconfirmed, 'not identified or not confirmed'],
    [companies.failed, 'failed'],
  ]);
}

/** A schedule name that a shell reads as one word. */
const plainName = /^[\w.-]+$/;

function listingOf({ schedule }: ScanPayload): Message['steps'][number] {
  const named = plainName.test(schedule) ? `${schedule} ` : '';
  return { what: 'List the changes', command: `nightshift changes ${named}--since 1d` };
}

function retryOf(failed: number, command: string): Message['steps'][number] {
  const which = failed === 1 ? 'failed company' : counted(failed, 'failed company', 'failed companies');
  return { what: `Try the ${which} again`, command };
}
