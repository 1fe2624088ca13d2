import { createUnderWay } from '../../async/under-way.ts';
import { registrableDomainOf } from '../../companies/domain.ts';
import type { MailHost } from '../domains/mail-domain.ts';
import type { MailLists } from '../lists/mail-lists.ts';
import { catchAllExpiry, controlExpiry } from './mailbox-lifetime.ts';
import type { MailboxStore } from './mailbox-store.ts';
import { hostsKey, type Mailbox, type MailboxEvidence } from './mailbox.ts';
import {
  createPendingMailboxes,
  type PendingMailbox,
  type PendingOptions,
  type SaveControl,
} from './pending-mailboxes.ts';
import type { SessionOpener } from './probe-session.ts';
import { runSessions, type SessionRunOptions } from './run-sessions.ts';

export interface ProviderQueueOptions extends SessionRunOptions, Omit<PendingOptions, 'saveControl'> {
  /** Prepares sessions for mailboxes at the same hosts. */
  readonly openSessions: (mailboxes: readonly Mailbox[]) => SessionOpener;
  readonly store: Pick<MailboxStore, 'readControls' | 'writeCatchAll' | 'writeControl'>;
  readonly lists: Pick<MailLists, 'mxProvider'>;
}

/** Mailboxes that wait for a session with their mail hosts. */
export interface ProviderQueue {
  /**
   * Probes a mailbox in its turn.
   *
   * @param isWanted returns false when no caller waits any longer; the mailbox is then not probed
   */
  probe(mailbox: Mailbox, isWanted: () => boolean): Promise<MailboxEvidence>;
  /** Resolves when no session is open. */
  settled(): Promise<void>;
}

/** Waiting mailboxes of one provider, by their hosts (`hostsKey`). */
type Lane = Map<string, PendingMailbox[]>;

/**
 * Queue of mailboxes by provider. A provider has one session at a time, and mailboxes at the same hosts share sessions. There is no timer:
 * mailboxes of one turn of the event loop go together, and those that arrive during a session wait for the next.
 */
export function createProviderQueue(options: ProviderQueueOptions): ProviderQueue {
  const { openSessions, store, lists } = options;
  const lanes = new Map<string, Lane>();
  const underWay = createUnderWay();

  function probe(mailbox: Mailbox, isWanted: () => boolean): Promise<MailboxEvidence> {
    return new Promise((resolve, reject) => {
      const lane = laneOf(providerOf(mailbox.hosts));
      const key = hostsKey(mailbox.hosts);
      const together = lane.get(key) ?? [];
      lane.set(key, together);
      together.push({ mailbox, isWanted, resolve, reject });
    });
  }

  function laneOf(provider: string): Lane {
    const running = lanes.get(provider);
    if (running !== undefined) return running;
    const lane: Lane = new Map();
    lanes.set(provider, lane);
    void underWay.add(drain(provider, lane));
    return lane;
  }

  async function drain(provider: string, lane: Lane): Promise<void> {
    await Promise.resolve();
    for (let [first] = lane; first !== undefined; [first] = lane) {
      const [hosts, together] = first;
      lane.delete(hosts);
      await probeTogether(provider, hosts, together);
    }
    lanes.delete(provider);
  }

  /** Settles all of the mailboxes, which have the same hosts. Does not throw. */
  async function probeTogether(provider: string, hosts: string, together: readonly PendingMailbox[]) {
    try {
      options.signal.throwIfAborted();
      const domains = [...new Set(together.map(({ mailbox }) => mailbox.domain))];
      const controls = await store.readControls(domains, hosts);
      const pending = createPendingMailboxes(together, controls, { ...options, saveControl: saveAt(hosts) });
      const opener = openSessions(together.map(({ mailbox }) => mailbox));
      await runSessions({ provider, pending, opener }, options).finally(pending.saved);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  /** Stores what changed of a control, for the next session and for other processes. */
  function saveAt(hosts: string): SaveControl {
    return async (domain, before, now, checkedAt) => {
      const at = { domain, hosts };
      if (now.catchAll !== before.catchAll)
        await store.writeCatchAll(at, now.catchAll, catchAllExpiry(now.catchAll, checkedAt));
      if (now.localPart === before.localPart) return;
      const { localPart } = now;
      await store.writeControl(
        at,
        localPart === null ? null : { localPart, expiresAt: controlExpiry(checkedAt) },
      );
    };
  }

  /** Key of the hosts that share limits: the id of a known provider, else the owner of the first host. */
  function providerOf(hosts: readonly MailHost[]): string {
    const host = hosts[0]?.name ?? '';
    return lists.mxProvider(host)?.id ?? registrableDomainOf(host) ?? host;
  }

  return { probe, settled: underWay.settled };
}
