import type { SmtpReason } from '../reasons.ts';

/** A reply of a mail server: untrusted text. */
export interface SmtpReply {
  /** Three digits. */
  readonly code: number;
  /** RFC 3463, at the beginning of the reply; null where it has none. */
  readonly enhancedCode: string | null;
  /** The text of each line, without codes. */
  readonly lines: readonly string[];
}

/** Finding about one mailbox. */
export type ProbeFinding = Exclude<SmtpReason, 'catch_all_domain' | 'catch_all_inconclusive'>;

/** A rejection of the sender: it says nothing about the recipient. */
export type SenderRefusal = Extract<ProbeFinding, 'sender_blocked' | 'sender_rate_limited'>;

/** Answer to a control address that cannot exist, checked once per domain and set of mail hosts. */
export type CatchAll = 'accepted' | 'refused' | 'inconclusive' | 'not_run';

/** RFC 5321 §4.2: a code, then `-` where a line follows and a blank or nothing where none does. */
const replyLine = /^([2-5]\d\d)(?:([ -])(.*))?$/s;
/** RFC 2034 §4, RFC 3463 §2: at the beginning of a line's text. Some servers put `#` before it. */
const enhanced = /^#?([245]\.\d{1,3}\.\d{1,3})(?=[\s:;,]|$)[\s:;,]*/;

/**
 * Parses the lines of one reply, given without their ends. Null where they are no reply of RFC 5321 §4.2: other than three digits
 * from 200 to 599 in front, lines with different codes, a line missing or too many, control characters.
 */
export function parseReply(lines: readonly string[]): SmtpReply | null {
  const texts: string[] = [];
  const codes = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const [, code, separator, text = ''] = replyLine.exec(line) ?? [];
    const isLast = index === lines.length - 1;
    if (code === undefined || isLast === (separator === '-') || hasControl(text)) return null;
    codes.add(code);
    texts.push(text);
  }
  const [code] = codes;
  if (code === undefined || codes.size > 1) return null;
  return {
    code: Number(code),
    enhancedCode: enhanced.exec(texts[0] ?? '')?.[1] ?? null,
    lines: texts.map((text) => text.replace(enhanced, '')),
  };
}

/** A tab is text (RFC 5321 §4.2: %d09 / %d32-126). Text beyond ASCII is accepted: servers write in their own language. */
function hasControl(text: string): boolean {
  return /[^\P{Cc}\t\x80-\x9f]/u.test(text);
}
