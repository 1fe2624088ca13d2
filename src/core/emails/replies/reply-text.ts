import { parseDomain } from '../../companies/domain.ts';
import { foldText } from '../../companies/fold-text.ts';
import type { SmtpReply } from '../probing/mailbox.ts';

/** Names that may stand in a reply without saying anything: whoever is asked about, and ourselves. */
export interface ReplyNames {
  /** The address asked about, as it was sent; null where none was. */
  readonly recipient: string | null;
  /** Our EHLO name, our IP addresses and the address we ask from. */
  readonly ours: readonly string[];
}

/** The words of a reply, freed of what somebody could have chosen: addresses, host names, links. */
export interface ReplyText {
  /** Folded to lower-case words with one space between them (`foldText`); one for each sentence. */
  readonly clauses: readonly string[];
  /** All clauses, one after the other. */
  readonly words: string;
  /** With its links and host names, in lower case; the recipient, its domain and our names are out of it. */
  readonly links: string;
  /** True when it names one of our addresses, or any IP address: a server that names one speaks of who connects. */
  readonly namesAnIp: boolean;
  /** False where it is so long that its end was not read. */
  readonly isWhole: boolean;
  /** True when the reply repeats the recipient. */
  readonly namesRecipient: boolean;
}

/** In UTF-16 units. A reply can be 64 KiB; what it means stands at its beginning, and patterns over more take their time. Our choice. */
const readCharsMax = 1_500;
const keptLinesMax = 10;
const keptCharsMax = 500;

const recipientMark = '[redacted]';
const ownMark = '[us]';

/** Local parts that are a server's own words for whom it is asked about: masking them would take its words from it. */
const plainNouns = /^(?:user|mailbox|recipient|account|address|e?mail|inbox|alias)$/i;
const emailLike = /[^\s<>()[\]"',;:@]{1,64}@[^\s<>()[\]"',;:@]+/gu;
const link = /\bhttps?:\/\/[^\s<>"]+/gi;
const hostLike = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu;
const ipLike = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?<![\w:])(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]*/i;
const hostEnd = /(?:[\p{L}\p{N}_-]+\.)+$/u;
const wordEnd = /[\p{L}\p{N}_.+-]$/u;
const wordGoesOn = /^(?:[\p{L}\p{N}_+-]|\.[\p{L}\p{N}])/u;
const sentenceEnd = /[.;!?]+(?:\s|$)|[。；！？]/;

/**
 * The reply as it may be kept: the recipient, every other address and our own names are out of it, control characters too; at
 * most ten lines of 500 characters.
 */
export function redactReply(reply: SmtpReply, names: ReplyNames): SmtpReply {
  const lines = reply.lines.slice(0, keptLinesMax).map((line) =>
    maskNames(line.slice(0, readCharsMax), names)
      .replace(emailLike, recipientMark)
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, keptCharsMax),
  );
  return { ...reply, lines };
}

/**
 * Reads the words of a reply. Names go first: `<alice@unblocked.dev>` says nothing about being blocked, and the host
 * `mx.spamfilter.example` nothing about spam.
 */
export function readReplyText(reply: SmtpReply, names: ReplyNames): ReplyText {
  const whole = reply.lines.join(' ');
  const given = whole.slice(0, readCharsMax);
  const masked = maskDomain(maskNames(given, names), names);
  const plain = masked
    .replace(link, ' ')
    .replace(emailLike, recipientMark)
    .replace(hostLike, (token) => (parseDomain(token).kind === 'domain' ? ' ' : token));
  const clauses = plain
    .split(sentenceEnd)
    .map(foldText)
    .filter((clause) => clause !== '');
  return {
    clauses,
    words: clauses.join(' '),
    links: masked.toLowerCase(),
    namesAnIp: masked.includes(ownMark) || ipLike.test(masked),
    isWhole: given === whole,
    namesRecipient: maskNames(given, { recipient: names.recipient, ours: [] }).includes(recipientMark),
  };
}

function maskNames(text: string, { recipient, ours }: ReplyNames): string {
  let masked = text;
  for (const name of recipientNames(recipient)) masked = maskToken(masked, name, recipientMark);
  for (const name of ours) masked = maskToken(masked, name, ownMark);
  return masked;
}

/** The address, its form in which the `@` is escaped (RFC 3461 and VERP), then the local part alone. */
function recipientNames(recipient: string | null): readonly string[] {
  if (recipient === null) return [];
  const { localPart, domain } = splitAddress(recipient);
  const address = [recipient, `${localPart}=${domain}`];
  return localPart.length < 3 || plainNouns.test(localPart) ? address : [...address, localPart];
}

/** The recipient's domain, with the hosts below it. */
function maskDomain(text: string, { recipient }: ReplyNames): string {
  if (recipient === null) return text;
  return replaceToken(text, splitAddress(recipient).domain, (before) => before.replace(hostEnd, '') + ' ');
}

function splitAddress(address: string): { readonly localPart: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return at === -1
    ? { localPart: address, domain: '' }
    : { localPart: address.slice(0, at), domain: address.slice(at + 1) };
}

/** Only where it stands alone: `al` is not masked in `always`. */
function maskToken(text: string, token: string, mark: string): string {
  return replaceToken(text, token, (before) => (wordEnd.test(before) ? null : before + mark));
}

/**
 * Replaces a name wherever no word goes on after it, in any case. `replace` gets the text before it and gives what stands in place
 * of that and the name; null leaves both. By hand, because a pattern for each name takes longer to make than to use.
 */
function replaceToken(text: string, token: string, replace: (before: string) => string | null): string {
  const lower = text.toLowerCase();
  // Some letters grow when they are lowered; then the case has to fit.
  const [within, wanted] = lower.length === text.length ? [lower, token.toLowerCase()] : [text, token];
  let done = '';
  let from = 0;
  for (let at = within.indexOf(wanted); wanted !== '' && at !== -1; at = within.indexOf(wanted, from)) {
    const end = at + wanted.length;
    const before = done + text.slice(from, at);
    const replaced = wordGoesOn.test(text.slice(end, end + 3)) ? null : replace(before);
    done = replaced ?? before + text.slice(at, end);
    from = end;
  }
  return done + text.slice(from);
}
