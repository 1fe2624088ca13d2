import type {
  PostponedAddresses,
  ProbeAddress,
  ProbeBatch,
  ProbeDomain,
  ReportEvidence,
} from '../../core/emails/probing/mailbox-probe.ts';
import type { UnprobedMailbox } from '../../core/emails/probing/mailbox.ts';
import type { CatchAll } from '../../core/emails/replies/smtp-reply.ts';
import type { ProbeSettings } from './probe-options.ts';
import { toEvidence, type AddressAnswer, type HostAnswer } from './probe-evidence.ts';

/** Remaining work for one domain. */
export interface DomainWork {
  readonly domain: ProbeDomain;
  /** Not answered yet, the next one last. */
  readonly left: ProbeAddress[];
  catchAll: CatchAll;
  /** As in `ProbeDomain`. */
  control: string | null;
  /** It was put off by this batch: another time may tell. */
  isPutOff: boolean;
  /** No leave before then. */
  notBeforeMs: number;
}

/** The domain to go on with; or that all is done, or has to wait. */
export type NextWork =
  | { readonly kind: 'domain'; readonly domain: DomainWork }
  | { readonly kind: 'done' }
  | { readonly kind: 'waiting'; readonly untilMs: number };

/** Why nobody is asked, and when somebody may be. */
export type Unasked = Omit<UnprobedMailbox, 'kind'>;

/** A batch in work: every address leaves it once, with evidence or as postponed. */
export interface ProbeWork {
  hasAddresses(): boolean;
  next(): NextWork;
  /** Answers the next address of a domain. */
  settle(domain: DomainWork, answer: AddressAnswer): void;
  /** Answers the next address of a domain by what the host said before anybody could be named. */
  settleByHost(domain: DomainWork, answer: HostAnswer): void;
  /** The same answer for all that are left, whom the host was to be asked about. */
  settleAll(answer: HostAnswer): void;
  /** Leaves all addresses unasked. */
  leaveUnasked(why: Unasked): void;
  leaveNextUnasked(domain: DomainWork, why: Unasked): void;
  postpone(untilMs: number): PostponedAddresses;
}

export function createProbeWork(
  batch: ProbeBatch,
  report: ReportEvidence,
  { now, retryAfterMs }: Pick<ProbeSettings, 'now' | 'retryAfterMs'>,
): ProbeWork {
  const domains = batch.domains.map((domain): DomainWork => ({
    domain,
    left: [...domain.addresses].reverse(),
    catchAll: domain.catchAll,
    control: domain.control,
    isPutOff: false,
    notBeforeMs: 0,
  }));
  /** The next domain last; those that are done stay until they would be next. */
  const queue = [...domains].reverse();

  function hasAddresses(): boolean {
    while (queue.at(-1)?.left.length === 0) queue.pop();
    return queue.length > 0;
  }

  function next(): NextWork {
    if (!hasAddresses()) return { kind: 'done' };
    const nowMs = now();
    const first = queue.findLast(({ left, notBeforeMs }) => left.length > 0 && notBeforeMs <= nowMs);
    if (first !== undefined) return { kind: 'domain', domain: first };
    const untilMs = Math.min(...open().map(({ notBeforeMs }) => notBeforeMs));
    return { kind: 'waiting', untilMs };
  }

  function open(): readonly DomainWork[] {
    return domains.filter(({ left }) => left.length > 0);
  }

  function settle(work: DomainWork, answer: AddressAnswer): void {
    const address = work.left.pop();
    if (address !== undefined) report(address, known(work), toEvidence(answer, now(), retryAfterMs));
  }

  function settleByHost(work: DomainWork, answer: HostAnswer, asked = 0): void {
    const attempts = (work.left.at(-1)?.attempts ?? 0) + asked;
    const { catchAll } = work;
    settle(work, { ...answer, attempts, catchAll, isControlOpen: false, durationMs: 0 });
  }

  function settleAll(answer: HostAnswer): void {
    for (const work of domains) while (work.left.length > 0) settleByHost(work, answer, 1);
  }

  function leaveUnasked(why: Unasked): void {
    for (const domain of domains) while (domain.left.length > 0) leaveNextUnasked(domain, why);
  }

  function leaveNextUnasked(work: DomainWork, { reason, retryAt }: Unasked): void {
    const address = work.left.pop();
    if (address !== undefined) report(address, known(work), { kind: 'not_probed', reason, retryAt });
  }

  function postpone(untilMs: number): PostponedAddresses {
    const rest = open().map((work) => ({ ...known(work), addresses: [...work.left].reverse() }));
    return { untilMs, domains: rest };
  }

  return {
    hasAddresses,
    next,
    settle,
    settleByHost: (domain, answer) => settleByHost(domain, answer),
    settleAll,
    leaveUnasked,
    leaveNextUnasked,
    postpone,
  };
}

/** The domain as it is known by now. */
function known({ domain, catchAll, control }: DomainWork): ProbeDomain {
  return { ...domain, catchAll, control };
}
