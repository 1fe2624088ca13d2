import { emailReasons } from '../reasons.ts';
import type { KnownControl } from './mailbox-store.ts';
import {
  unprobed,
  type Mailbox,
  type MailboxEvidence,
  type ProbedMailbox,
  type UnprobedMailbox,
} from './mailbox.ts';
import type { ControlState, HostResult, RcptResult } from './probe-session.ts';

/** A mailbox without evidence, and the caller that waits for it. */
export interface PendingMailbox {
  readonly mailbox: Mailbox;
  readonly isWanted: () => boolean;
  readonly resolve: (evidence: MailboxEvidence) => void;
  readonly reject: (error: unknown) => void;
}

/** Pending mailboxes of one domain. */
export interface PendingDomain {
  readonly domain: string;
  /** The next one last. */
  readonly mailboxes: PendingMailbox[];
  control: ControlState;
  /** The limits allow no recipient of the domain before then. */
  notBeforeMs: number;
}

/** The next domain with a pending mailbox; or no domain is left, or all domains have to wait. */
export type NextDomain =
  | { readonly kind: 'domain'; readonly domain: PendingDomain }
  | { readonly kind: 'done' }
  | { readonly kind: 'waiting'; readonly untilMs: number };

/** Reason why a mailbox is not probed, and when it may be. */
export type SkipReason = Omit<UnprobedMailbox, 'kind'>;

/** Stores the changes of a control. */
export type SaveControl = (
  domain: string,
  before: KnownControl,
  now: KnownControl,
  checkedAt: Date,
) => Promise<void>;

export interface PendingOptions {
  readonly nowMs: () => number;
  /**
   * Delays before the next attempt at a mailbox that is still open, after the first attempt, the second, and so on. postgrey accepts after 5
   * minutes, others after up to an hour; RFC 5321 §4.5.4.1 recommends 30 between attempts.
   */
  readonly retryAfterMs: readonly number[];
  readonly saveControl: SaveControl;
}

/** Pending mailboxes at the same hosts. Each is settled once. */
export interface PendingMailboxes {
  isEmpty(): boolean;
  next(): NextDomain;
  /** Settles the next mailbox of a domain with the result of RCPT. */
  settle(domain: PendingDomain, result: RcptResult, control: ControlState): void;
  /** Settles the next mailbox of a domain with the result of its host. `attempts`: attempts that this one counts as. */
  settleByHost(domain: PendingDomain, result: HostResult, attempts: 0 | 1): void;
  /** Settles all mailboxes with the result of their host. */
  settleAllByHost(result: HostResult): void;
  /** Settles the next mailbox of a domain as not probed. */
  skip(domain: PendingDomain, reason: SkipReason): void;
  /** Settles all mailboxes as not probed. */
  skipAll(reason: SkipReason): void;
  /** Resolves when all changes of controls are stored. */
  saved(): Promise<void>;
}

/** Makes the list, in the order of the mailboxes: one domain after the other. */
export function createPendingMailboxes(
  mailboxes: readonly PendingMailbox[],
  controls: ReadonlyMap<string, KnownControl>,
  { nowMs, retryAfterMs, saveControl }: PendingOptions,
): PendingMailboxes {
  const domains = byDomain(mailboxes, controls);
  /** The next domain last; a domain without mailboxes stays until it would be next. */
  const queue = [...domains].reverse();
  const saves: Promise<void>[] = [];

  function isEmpty(): boolean {
    while (queue.at(-1)?.mailboxes.length === 0) queue.pop();
    return queue.length === 0;
  }

  function next(): NextDomain {
    if (isEmpty()) return { kind: 'done' };
    const atMs = nowMs();
    const open = queue.findLast((domain) => domain.mailboxes.length > 0 && domain.notBeforeMs <= atMs);
    if (open !== undefined) return { kind: 'domain', domain: open };
    const waiting = queue.filter((domain) => domain.mailboxes.length > 0);
    return { kind: 'waiting', untilMs: Math.min(...waiting.map(({ notBeforeMs }) => notBeforeMs)) };
  }

  function settle(domain: PendingDomain, result: RcptResult, control: ControlState): void {
    const before = domain.control;
    domain.control = control;
    const pending = domain.mailboxes.pop();
    if (pending === undefined) return;
    const evidence = evidenceOf(result, pending.mailbox.attempts + 1, control);
    const save = saveControl(domain.domain, before, control, evidence.checkedAt);
    saves.push(save.then(() => pending.resolve(evidence), pending.reject));
  }

  function settleByHost(domain: PendingDomain, result: HostResult, attempts: 0 | 1): void {
    const pending = domain.mailboxes.pop();
    if (pending === undefined) return;
    const forMailbox = { ...result, isControlOpen: false, durationMs: 0 };
    pending.resolve(evidenceOf(forMailbox, pending.mailbox.attempts + attempts, domain.control));
  }

  function evidenceOf(result: RcptResult, attempts: number, { catchAll }: ControlState): ProbedMailbox {
    const { host, finding, reply, durationMs } = result;
    const checkedAt = new Date(nowMs());
    const delayMs = mayChange(result) ? retryAfterMs[attempts - 1] : undefined;
    const retryAt = delayMs === undefined ? null : new Date(checkedAt.getTime() + delayMs);
    return { kind: 'probed', finding, catchAll, host, reply, attempts, durationMs, checkedAt, retryAt };
  }

  function skip(domain: PendingDomain, { reason, retryAt }: SkipReason): void {
    domain.mailboxes.pop()?.resolve(unprobed(reason, retryAt));
  }

  function forEachLeft(settleNext: (domain: PendingDomain) => void): void {
    for (const domain of domains) while (domain.mailboxes.length > 0) settleNext(domain);
  }

  return {
    isEmpty,
    next,
    settle,
    settleByHost,
    skip,
    settleAllByHost: (result) => forEachLeft((domain) => settleByHost(domain, result, 1)),
    skipAll: (reason) => forEachLeft((domain) => skip(domain, reason)),
    saved: async () => void (await Promise.all(saves)),
  };
}

function byDomain(
  mailboxes: readonly PendingMailbox[],
  controls: ReadonlyMap<string, KnownControl>,
): readonly PendingDomain[] {
  const domains = new Map<string, PendingDomain>();
  for (const pending of mailboxes) {
    const { domain } = pending.mailbox;
    const known = controls.get(domain) ?? { catchAll: 'not_run', localPart: null };
    const control = { ...known, isDeferred: false };
    const open = domains.get(domain) ?? { domain, mailboxes: [], control, notBeforeMs: 0 };
    domains.set(domain, open);
    open.mailboxes.push(pending);
  }
  for (const { mailboxes: ofDomain } of domains.values()) ofDomain.reverse();
  return [...domains.values()];
}

/** True when a later attempt may have another result: after greylisting, after an error of the host or the network, or with the control open. */
function mayChange({ finding, isControlOpen }: RcptResult): boolean {
  const { about, retryable } = emailReasons[finding];
  return finding === 'greylisted' || (retryable && about === 'network') || isControlOpen;
}
