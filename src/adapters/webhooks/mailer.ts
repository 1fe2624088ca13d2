import { createTransport } from 'nodemailer';
import type { Message } from '../../core/events/messages/message.ts';
import type { Attempt } from '../../core/events/event-envelope.ts';
import { openDeadline } from '../http/deadline.ts';
import { htmlForm, textForm } from './mail-layout.ts';

/** The mail server that takes our mail, and who sends it. */
export interface MailerOptions {
  /** `smtp://` or `smtps://`, with the login where there is one. */
  readonly url: string;
  readonly from: string;
  /** Time limit of one attempt, in milliseconds. */
  readonly attemptMs: number;
}

/** Sends messages by mail. */
export interface Mailer {
  /**
   * One attempt. A repeat has the same Message-ID, so that a mailbox may know it again.
   *
   * @throws the signal's reason when it aborts.
   */
  send(mail: Mail, signal: AbortSignal): Promise<Attempt>;
  /** Logs in and sends nothing. @throws Error in the server's words. */
  check(): Promise<void>;
}

export interface Mail {
  readonly eventId: string;
  readonly to: string;
  readonly message: Message;
}

/** A mailer. Nothing is connected before the first mail; every mail has a connection of its own. */
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
        // One recipient, whatever a header reads like.
        envelope: { from, to: [to] },
        subject: message.headline,
        text: textForm(message),
        html: htmlForm(message),
        messageId: `<${eventId}@${host}>`,
        // RFC 3834: nobody's holiday answers it.
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

/** Codes and commands only: what a server says may quote an address. */
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
  // Without a code it is a defect of ours.
  if (typeof code !== 'string') throw error;
  return { status: null, error: `no mail could be handed to the mail server (${code})` };
}

function codeOf(response: string): number | null {
  const [, code] = /^(\d{3})/.exec(response) ?? [];
  return code === undefined ? null : Number(code);
}
