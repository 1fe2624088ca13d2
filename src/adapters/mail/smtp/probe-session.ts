import assert from 'node:assert/strict';
import type { MailHost } from '../../../core/emails/domains/mail-domain.ts';
import type { Mailbox } from '../../../core/emails/probing/mailbox.ts';
import type { ProbeSession, SessionOpener } from '../../../core/emails/probing/probe-session.ts';
import { isSenderRefusal } from '../../../core/emails/replies/classify-reply.ts';
import { openDeadline, type Deadline } from '../../http/deadline.ts';
import { createMailTransactions } from './mail-transactions.ts';
import { checkRecipient } from './rcpt-check.ts';
import { withDefaults, type ProbeSessionOptions, type SessionSettings } from './session-options.ts';
import { isSafeCommand } from './smtp-command.ts';
import {
  openSmtpConnection,
  type FailedConnection,
  type SmtpConnection,
  type SmtpTarget,
} from './smtp-connection.ts';

/** Addresses tried for one set of hosts. RFC 5321 §5.1 requires at least two; the rest is our choice. */
const targetsMax = 10;

type FailedSession = FailedConnection & { readonly host: string };

/**
 * Makes sessions that use SMTP as far as RCPT and never further: no DATA, VRFY, EXPN or AUTH. Asserts that every address is safe in a
 * command before anything is connected to.
 */
export function createProbeSessions(
  options: ProbeSessionOptions,
): (mailboxes: readonly Mailbox[]) => SessionOpener {
  const settings = withDefaults(options);
  return (mailboxes) => {
    for (const { localPart, domain } of mailboxes)
      assert(isSafeCommand(`${localPart}@${domain}`), 'An address cannot be sent in a command.');
    return createOpener(mailboxes[0]?.hosts ?? [], settings);
  };
}

/**
 * Tries the hosts in their order, each by all its addresses. The next one is tried only after a failure before the greeting: a host that
 * rejects this client speaks for all of them, and another host would bypass a block.
 */
function createOpener(hosts: readonly MailHost[], settings: SessionSettings): SessionOpener {
  let targets: readonly SmtpTarget[] = hosts
    .flatMap(({ name, addresses }) => addresses.map((address) => ({ host: name, address })))
    .slice(0, targetsMax);

  async function connect(signal: AbortSignal): Promise<SmtpConnection | FailedSession> {
    let first: FailedSession | null = null;
    for (const target of targets) {
      const opened = await openSmtpConnection(target, settings, signal);
      if ('target' in opened) return opened;
      const failed = { ...opened, host: target.host };
      if (!mayTryNext(failed)) return failed;
      first ??= failed;
      targets = targets.filter((other) => other !== target);
      if (signal.aborted) break;
    }
    return first ?? noTarget(hosts);
  }

  async function open(signal: AbortSignal): ReturnType<SessionOpener['open']> {
    const startMs = settings.now();
    const deadline = openDeadline(signal, settings.sessionDeadlineMs);
    const opened = await connect(deadline.signal);
    if ('target' in opened) return createSession(opened, deadline, startMs, settings);
    deadline.close();
    const { host, finding, reply } = opened;
    return { kind: 'failed', result: { host, finding, reply } };
  }

  return { open };
}

function mayTryNext({ finding, isBeforeGreeting }: FailedSession): boolean {
  return isBeforeGreeting && !isSenderRefusal(finding) && finding !== 'greylisted';
}

function noTarget(hosts: readonly MailHost[]): FailedSession {
  const host = hosts[0]?.name ?? '';
  return { kind: 'failed', finding: 'connection_refused', reply: null, isBeforeGreeting: true, host };
}

function createSession(
  connection: SmtpConnection,
  deadline: Deadline,
  startMs: number,
  settings: SessionSettings,
): ProbeSession {
  const { randomLocalPart, now } = settings;
  const transactions = createMailTransactions(connection, settings, startMs);
  return {
    hasRoomFor: transactions.hasRoomFor,
    end: transactions.end,
    check: (mailbox, control, mayCheckControl) =>
      checkRecipient({ transactions, mailbox, control, mayCheckControl, randomLocalPart, now }),
    close: () => connection.close().finally(deadline.close),
  };
}
