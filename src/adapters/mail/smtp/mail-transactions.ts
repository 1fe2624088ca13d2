import { classifyReply, isSenderRefusal } from '../../../core/emails/replies/classify-reply.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../../../core/emails/replies/smtp-reply.ts';
import type { SessionStop } from '../../../core/emails/probing/probe-session.ts';
import type { SessionSettings } from './session-options.ts';
import { needsUtf8, type SmtpCommand } from './smtp-command.ts';
import type { SmtpConnection } from './smtp-connection.ts';
import type { Exchange } from './smtp-wire.ts';

/** Answer to RCPT. */
export type RcptAnswer =
  | { readonly kind: 'reply'; readonly reply: SmtpReply }
  /** The server rejects the transaction: no recipient can be checked. */
  | { readonly kind: 'closed'; readonly finding: ProbeFinding; readonly reply: SmtpReply }
  /** The connection is lost, without a reply. */
  | { readonly kind: 'lost'; readonly finding: ProbeFinding }
  /** The address needs SMTPUTF8, which the server does not support. */
  | { readonly kind: 'not_sent' };

/** Mail transactions of one connection, within the limits of a session. */
export interface MailTransactions {
  readonly host: string;
  /** Names of this client as the host may repeat them. */
  readonly ownNames: readonly string[];
  /** Results of control addresses in this session, by domain. */
  readonly controls: Map<string, CatchAll>;
  /** Number of RCPT commands so far. */
  recipients(): number;
  /** True when there is room for so many more recipients: in number, in rejections, and in time. */
  hasRoomFor(count: number): boolean;
  /** The reason why there is no room. */
  end(): SessionStop;
  /** Sends RCPT; in a new transaction if the host or the caller requires it. */
  rcpt(address: string, options?: { readonly isNew: boolean }): Promise<RcptAnswer>;
}

/** Exchange Online and Outlook.com stop at the second recipient of a transaction at times, with 452 4.5.3. */
const oneRecipientHosts = /(?:^|\.)(?:outlook\.(?:com|cn)|hotmail\.com|office365\.(?:com|us)|mx\.microsoft)$/;

/** Begins without a transaction. `startMs`: start of the session, which its deadline counts from. */
export function createMailTransactions(
  connection: SmtpConnection,
  settings: SessionSettings,
  startMs: number,
): MailTransactions {
  const { target, takesUtf8, ownNames } = connection;
  const lastStartMs = startMs + settings.sessionDeadlineMs - settings.commandTimeoutMs;
  let isOneByOne = oneRecipientHosts.test(target.host);
  let recipients = 0;
  let inTransaction = 0;
  let rejections = 0;
  let lost: ProbeFinding | null = null;
  let transaction: { readonly utf8: boolean } | null = null;

  function hasRoomFor(count: number): boolean {
    return (
      lost === null &&
      recipients + count <= settings.recipientsPerSessionMax &&
      rejections + count <= settings.rejectionsPerSessionMax &&
      settings.now() <= lastStartMs
    );
  }

  async function rcpt(address: string, { isNew } = { isNew: false }): Promise<RcptAnswer> {
    const utf8 = needsUtf8(address);
    if (utf8 && !takesUtf8) return { kind: 'not_sent' };
    const begins = transaction === null || isOneByOne || isNew || (utf8 && !transaction.utf8);
    const commands: readonly SmtpCommand[] = [
      ...(begins && transaction !== null ? [{ verb: 'RSET' } as const] : []),
      ...(begins ? [{ verb: 'MAIL', from: settings.mailFrom, utf8 } as const] : []),
      { verb: 'RCPT', to: address, utf8 },
    ];
    // A server that rejects the second recipient of a transaction rejects it every time.
    if (isNew && inTransaction === 2) isOneByOne = true;
    inTransaction = begins ? 1 : inTransaction + 1;
    if (begins) transaction = { utf8 };
    recipients += 1;
    const exchange = await connection.send(commands);
    const answer = answerOf(commands, exchange, ownNames);
    if (answer.kind === 'lost') lost = answer.finding;
    lost ??= exchange.problem?.finding ?? null;
    if (answer.kind !== 'reply' || answer.reply.code >= 400) rejections += 1;
    return answer;
  }

  function end(): SessionStop {
    // A session without time for one recipient does not count as a session.
    const finding = lost ?? (recipients === 0 ? 'connection_timeout' : null);
    if (finding === null) return { kind: 'full' };
    return { kind: 'lost', result: { host: target.host, finding, reply: null } };
  }

  return {
    host: target.host,
    ownNames,
    controls: new Map(),
    recipients: () => recipients,
    hasRoomFor,
    end,
    rcpt,
  };
}

/** Assigns the replies to their commands. After a protocol error no reply counts. */
function answerOf(
  commands: readonly SmtpCommand[],
  { replies, problem }: Exchange,
  ours: readonly string[],
): RcptAnswer {
  if (problem?.finding === 'protocol_error') return { kind: 'lost', finding: 'protocol_error' };
  for (const [index, { verb }] of commands.entries()) {
    const reply = replies[index];
    if (reply === undefined) return { kind: 'lost', finding: problem?.finding ?? 'protocol_error' };
    if (verb === 'RCPT') return { kind: 'reply', reply };
    if (reply.code === 250) continue;
    const meaning = classifyReply(reply, { phase: 'mail', recipient: null, ours, isFirstContact: false });
    const finding = meaning.kind === 'finding' ? meaning.finding : 'protocol_error';
    // A session that ends here may continue in another; a server must not reject RSET (RFC 5321 §4.1.1.5).
    const isOver = reply.code === 421 && !isSenderRefusal(finding);
    if (isOver || verb === 'RSET') return { kind: 'lost', finding: isOver ? finding : 'protocol_error' };
    return { kind: 'closed', finding, reply };
  }
  return { kind: 'lost', finding: 'protocol_error' };
}
