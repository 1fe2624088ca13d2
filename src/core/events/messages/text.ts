import { parseDomain } from '../../companies/domain.ts';
import { formatCredits } from '../../credits/credits.ts';

/** `1 company`, `2 companies`, `1,200 companies`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Counts other than 0, in order: `3 new, 1 ended`. */
export function countsOf(
  parts: readonly (readonly [count: number, what: string])[],
  separator = ', ',
): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`)
    .join(separator);
}

/** An amount of credits for people: `0.4`. */
export function creditsText(credits: number): string {
  return formatCredits(BigInt(Math.round(credits * 1_000_000)));
}

/** A moment in a time zone: `2026-11-22 02:00 Europe/Berlin`. UTC without a zone. */
export function timeText(moment: Date, timeZone: string | null): string {
  const zone = timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC';
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')} ${zone}`;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const nameCharsMax = 100;

/** Breaks up URLs, domains and e-mail addresses that mail and chat programs would turn into links. */
function withoutLinks(text: string): string {
  return text.replaceAll(/[^\s"'<>(),;]+/g, (word) =>
    /:\/\/|@/.test(word) || parseDomain(word).kind === 'domain'
      ? word.replaceAll('://', ' ').replaceAll('@', ' at ').replaceAll('.', '[.]')
      : word,
  );
}

/** A name of a company or a schedule, which is untrusted: in one line, without control characters, shortened. */
export function nameText(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const chars = [...line];
  return chars.length > nameCharsMax ? `${chars.slice(0, nameCharsMax - 1).join('')}…` : line;
}

/**
 * Like `nameText`, for a name that anyone can choose and that could make a mail look like spam or phishing: nothing in it
 * becomes a link. A company is often named by its domain and keeps it.
 */
export function chosenNameText(name: string): string {
  return withoutLinks(nameText(name));
}

/** Quotes a name for a shell. A name that plain quotes cannot hold becomes a placeholder. */
export function commandName(name: string): string {
  if (/^[\w.-]+$/.test(name)) return name;
  return /^[^'\p{Cc}]+$/u.test(name) ? `'${name}'` : 'NAME';
}
