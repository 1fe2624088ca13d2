import { parseDomain } from '../../companies/domain.ts';
import { foldText } from '../../companies/fold-text.ts';
import type { SmtpReply } from './smtp-reply.ts';

/** Names that carry no meaning in a reply: those of the recipient and of this client. */
export interface ReplyNames {
  /** The address of RCPT as it was sent; null before RCPT. */
  readonly recipient: string | null;
  /** The name in EHLO, the local IP addresses and the address of the sender. */
  readonly ours: readonly string[];
}

/** The words of a reply without names that someone has chosen: addresses, host names, links. */
export interface ReplyText {
  /** One for each sentence, folded to lower-case words with one space between them (`foldText`). */
  readonly clauses: readonly string[];
  /** The reply in lower case with its links and host names, without the recipient, its domain and our names. */
  readonly links: string;
  /** True when the reply names one of our addresses, or any IP address: then it is about the connecting host. */
  readonly namesAnIp: boolean;
  /** False where the reply is too long to be read to its end. */
  readonly isWhole: boolean;
}

/** In UTF-16 units. A reply can be 64 KiB; its meaning is at the beginning, and patterns over more text are slow. Our choice. */
const readCharsMax = 1_500;
const keptLinesMax = 10;
const keptCharsMax = 500;

const recipientMark = '[redacted]';
const ownMark = '[us]';

/** Local parts that are also words for a recipient: masking them would remove these words from the reply. */
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
 * Redacts a reply for storage: without the recipient, other addresses, our own names and control characters; at most ten lines of 500
 * characters.
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
 * Reads the words of a reply. Names are removed first: `<alice@unblocked.dev>` is not about a block, and the host
 * `mx.spamfilter.example` not about spam.
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
    links: masked.toLowerCase(),
    namesAnIp: masked.includes(ownMark) || ipLike.test(masked),
    isWhole: given === whole,
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
 * Replaces a name, in any case, wherever a word ends with it. `replace` gets the text before the name and returns the text that stands in
 * place of both; null leaves them. Without a RegExp: compiling one for each name takes longer than using it.
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
