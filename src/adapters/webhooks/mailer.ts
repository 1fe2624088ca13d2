import { createTransport } from 'nodemailer';
import type { Message } from '../../core/events/messages/message.ts';
import type { Attempt } from '../../core/events/event-envelope.ts';
import { openDeadline } from '../http/deadline.ts';
import { htmlForm, textForm } from './mail-layout.ts';

/** Mail server for outgoing mail, and its sender. */
export interface MailerOptions {
  /** `smtp://` or `smtps://`, with a login if needed. */
  readonly url: string;
  readonly from: string;
  /** Time limit of one attempt, in milliseconds. */
  readonly attemptMs: number;
}

/** Sends messages by mail. */
export interface Mailer {
  /**
   * Makes one attempt. A repeat has the same Message-ID, so that a mailbox can recognize it.
   *
   * @throws the signal's reason when it aborts.
   */
  send(mail: Mail, signal: AbortSignal): Promise<Attempt>;
  /** Logs in and sends nothing. @throws Error with the server's message. */
  check(): Promise<void>;
}

export interface Mail {
  readonly eventId: string;
  readonly to: string;
  readonly message: Message;
}

/** Creates a mailer. It connects for each mail, and not before the first. */
export function createMailer({ url, from, attemptMs }: MailerOptions): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: attemptMs,
    greetingTimeout: attemptMs,
    socketTimeout: attemptMs,
  });
  const host = from.slice(from.lastIndexOf('@') + 1);

  async function send({ eventId, to, message }: Mail, signal: AbortSignal): Promise<Attempt> {
    signal.throwIfAborted();
    const deadline = openDeadline(signal, attemptMs);
    try {
      const sent = await transport.sendMail({
        from: { name: 'Nightshift', address: from },
        to: { name: '', address: to },
        // One recipient, however a header is parsed.
        envelope: { from, to: [to] },
        subject: message.headline,
        text: textForm(message),
        html: htmlForm(message),
        messageId: `<${eventId}@${host}>`,
        // RFC 3834: prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: deadline.signal,
      });
      return { kind: 'delivered', status: codeOf(sent.response) ?? 250 };
    } catch (error) {
      signal.throwIfAborted();
      const failure = deadline.passed() ? tooSlow(attemptMs) : errorOf(error);
      return { kind: 'failed', retryAfterMs: null, ...failure };
    } finally {
      deadline.close();
    }
  }

  return { send, check: async () => void (await transport.verify()) };
}

function tooSlow(attemptMs: number): Failure {
  return { status: null, error: `the mail server gave no answer within ${attemptMs} ms` };
}

interface Failure {
  readonly status: number | null;
  readonly error: string;
}

/** Codes and commands only: the message of a server may quote an address. */
function errorOf(error: unknown): Failure {
  if (!(error instanceof Error)) throw error;
  const { code, responseCode, command } = error as Error & {
    readonly code?: unknown;
    readonly responseCode?: unknown;
    readonly command?: unknown;
  };
  if (typeof responseCode === 'number') {
    const to = typeof command === 'string' && command !== 'CONN' ? ` to ${command}` : '';
    return { status: responseCode, error: `the mail server answered ${responseCode}${to}` };
  }
  // An error without a code is a bug of ours.
  if (typeof code !== 'string') throw error;
  return { status: null, error: `the mail could not be sent to the mail server (${code})` };
}

function codeOf(response: string): number | null {
  const [, code] = /^(\d{3})/.exec(response) ?? [];
  return code === undefined ? null : Number(code);
}
