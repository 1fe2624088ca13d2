import { isUtf8 } from 'node:buffer';
import type { SmtpReply } from '../../../core/emails/replies/smtp-reply.ts';
import { parseReply } from '../../../core/emails/replies/smtp-reply.ts';

/** Limits of the buffer. RFC 5321 §4.5.3.1.5 requires lines of 512 octets; the rest is our choice. */
const lineBytesMax = 4_096;
const replyBytesMax = 65_536;
const replyLinesMax = 100;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Replies in a piece of the stream. A breach ends the stream: nothing after it is parsed. */
export interface ReadReplies {
  readonly replies: readonly SmtpReply[];
  /** Protocol violation of the server; null without one. For logs. */
  readonly breach: string | null;
}

/** Splits a stream of bytes into replies. */
export interface ReplyReader {
  push(bytes: Buffer): ReadReplies;
  /** True inside a line or a reply. */
  isAmidst(): boolean;
}

/**
 * Parses replies strictly (RFC 5321 §2.3.8, §4.2): lines end with CRLF only, and have the same code. Buffers at most one
 * unfinished reply: 4 KiB per line, 64 KiB and 100 lines per reply.
 */
export function createReplyReader(): ReplyReader {
  let tail: Buffer = Buffer.alloc(0);
  let lines: string[] = [];
  let replyBytes = 0;

  /** The reply that ends with the line, null inside a reply, or the breach of the protocol. */
  function takeLine(line: Buffer): SmtpReply | string | null {
    replyBytes += line.length;
    const breach = breachOf(line, replyBytes);
    if (breach !== null) return breach;
    lines.push(decode(line.subarray(0, -2)));
    if (lines.length > replyLinesMax) return 'a reply of too many lines';
    if (goesOn(lines)) return null;
    const reply = parseReply(lines);
    lines = [];
    replyBytes = 0;
    return reply ?? 'no reply';
  }

  function push(bytes: Buffer): ReadReplies {
    const replies: SmtpReply[] = [];
    let rest = tail.length === 0 ? bytes : Buffer.concat([tail, bytes]);
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      const taken = takeLine(rest.subarray(0, end + 1));
      if (typeof taken === 'string') return { replies, breach: taken };
      if (taken !== null) replies.push(taken);
      rest = rest.subarray(end + 1);
    }
    // A copy: a small rest must not keep a large chunk in memory.
    tail = Buffer.from(rest);
    return { replies, breach: tailBreach(tail) };
  }

  return { push, isAmidst: () => tail.length > 0 || lines.length > 0 };
}

function breachOf(line: Buffer, replyBytes: number): string | null {
  if (line.length > lineBytesMax) return 'a line that is too long';
  if (replyBytes > replyBytesMax) return 'a reply that is too long';
  if (line.at(-2) !== carriageReturn) return 'a bare LF';
  return line.indexOf(carriageReturn) === line.length - 2 ? null : 'a bare CR';
}

function tailBreach(tail: Buffer): string | null {
  if (tail.length > lineBytesMax) return 'a line that is too long';
  const at = tail.indexOf(carriageReturn);
  return at === -1 || at === tail.length - 1 ? null : 'a bare CR';
}

/** True when the reply has another line. */
function goesOn(lines: readonly string[]): boolean {
  const code = lines[0]?.slice(0, 3);
  const last = lines.at(-1) ?? '';
  return /^[2-5]\d\d-/.test(last) && last.slice(0, 3) === code;
}

/** Servers use any encoding; text that is not UTF-8 is decoded as Latin-1. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
