import type { EmailAddress } from '../syntax/address.ts';
import type { MailDomain, MailHost } from '../domains/mail-domain.ts';
import { mailboxDigest } from './mailbox-digest.ts';
import type { MailboxEvidence, UnprobedMailbox } from './mailbox.ts';

/** One mailbox that is being asked about, for everybody who wants to know. */
export interface MailboxQuestion {
  readonly digest: string;
  readonly localPart: string;
  /** In ASCII, in lower case. */
  readonly domain: string;
  /** At least one, in the order of their preference. */
  readonly hosts: readonly MailHost[];
  /** The names of all of them: questions with the same ones share sessions. */
  readonly hostNames: string;
  readonly answer: Promise<MailboxEvidence>;
  readonly resolve: (evidence: MailboxEvidence) => void;
  readonly reject: (error: unknown) => void;
  /** Number of callers that wait for the answer. */
  waiting: number;
  /** Number of earlier calls to the mail server. */
  attempts: number;
}

/** @throws Error when the domain has no mail hosts: then there is nobody to ask. */
export function openQuestion(
  { localPart, asciiDomain }: EmailAddress,
  { domain, route }: MailDomain,
): MailboxQuestion {
  if (route.kind !== 'hosts') throw new Error(`${domain} has no mail hosts to ask.`);
  let resolve: MailboxQuestion['resolve'] = () => undefined;
  let reject: MailboxQuestion['reject'] = () => undefined;
  const answer = new Promise<MailboxEvidence>((...settlers) => ([resolve, reject] = settlers));
  const digest = mailboxDigest(localPart, asciiDomain);
  const { hosts } = route;
  const hostNames = hosts.map(({ name }) => name).join(' ');
  const waits = { waiting: 0, attempts: 0 };
  return { digest, localPart, domain, hosts, hostNames, answer, resolve, reject, ...waits };
}

export function unprobed(reason: UnprobedMailbox['reason'], retryAt: Date | null = null): UnprobedMailbox {
  return { kind: 'not_probed', reason, retryAt };
}

/** Port: asks the mail servers of a domain about one of its mailboxes, within all budgets. */
export interface MailboxAsker {
  ask(address: EmailAddress, domain: MailDomain, signal: AbortSignal): Promise<MailboxEvidence>;
}
