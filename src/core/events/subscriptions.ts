import type { Actor } from '../accounts/key-store.ts';
import { formatAddress, parseAddress } from '../emails/syntax/address.ts';
import { Conflict } from '../errors.ts';
import type { EventType } from './event.ts';

/** Batch or schedule that a user gets e-mail about, by its id. */
export interface SubscriptionSubject {
  readonly kind: 'batch' | 'schedule';
  readonly id: string;
}

/** A user's own e-mail about one batch or schedule. */
export interface Subscription extends SubscriptionSubject {
  /** Name of the batch or schedule. */
  readonly name: string;
  readonly createdAt: Date;
}

/** User of an account, by its id. */
export interface Subscriber {
  readonly accountId: number;
  readonly userId: string;
}

/** Subscription as it is stored: its address and its events. */
export interface NewSubscription {
  readonly target: string;
  readonly events: readonly EventType[];
}

/** Maximum number of subscriptions of a user. Our choice: more than anyone reads. */
export const subscriptionsMax = 1000;

/** Port: subscriptions of users. Every change and its entry in the audit log are one transaction. */
export interface SubscriptionStore {
  /** Login of a user who is not disabled; null when the id is not that of a user, such as that of a key. */
  findLogin(subscriber: Subscriber): Promise<string | null>;
  /** Newest first. */
  list(subscriber: Subscriber): Promise<readonly Subscription[]>;
  /** @throws NotFound without the batch or schedule in the account. */
  assertSubject(accountId: number, subject: SubscriptionSubject): Promise<void>;
  /**
   * Does nothing when it exists.
   *
   * @throws NotFound without the batch or schedule in the account; Conflict for more than `subscriptionsMax`.
   */
  add(subscriber: Subscriber, subject: SubscriptionSubject, added: NewSubscription, by: Actor): Promise<void>;
  /** Removes it with its pending deliveries. Does nothing without one. @throws NotFound as `add` does */
  remove(subscriber: Subscriber, subject: SubscriptionSubject, by: Actor): Promise<void>;
}

/** Reason why a caller cannot get e-mail about a batch or schedule. */
export type SubscriptionObstacle = 'notAUser' | 'noAddress' | 'noMailServer';

/** Address of a caller, or the reason why there is none to write to. */
export interface Subscribing {
  /** Null for a caller without an address. */
  readonly address: string | null;
  readonly obstacle: SubscriptionObstacle | null;
}

/** Subscriptions of users; see `SubscriptionStore` for errors. */
export interface SubscriptionService extends Pick<SubscriptionStore, 'list' | 'remove'> {
  readonly find: (subscriber: Subscriber) => Promise<Subscribing>;
  /** @throws Conflict with the remedy when there is an obstacle. */
  readonly add: (subscriber: Subscriber, subject: SubscriptionSubject, by: Actor) => Promise<void>;
}

/** Events about a batch or a schedule. The batch of a scan ends with `scan.changes`. */
const eventsOf: Readonly<Record<SubscriptionSubject['kind'], readonly EventType[]>> = {
  batch: ['scan.changes', 'batch.completed', 'batch.failed', 'batch.waiting_for_credits'],
  schedule: ['scan.changes', 'schedule.missed'],
};

const remedies: Readonly<Record<SubscriptionObstacle, string>> = {
  notAUser: 'A key has no mailbox. Sign in to the console, or add a webhook with POST /v1/webhooks.',
  noAddress:
    'Your login is not an e-mail address. Ask an admin to add a webhook, or an operator to add a user with your address.',
  noMailServer:
    'This server cannot send e-mail. The operator sets NIGHTSHIFT_SMTP_URL and NIGHTSHIFT_MAIL_FROM.',
};

/** Creates the subscriptions of users. The operator vouches for the address of a user: it is the login. */
export function createSubscriptionService({
  store,
  canSendMail,
}: {
  readonly store: SubscriptionStore;
  readonly canSendMail: boolean;
}): SubscriptionService {
  async function find(subscriber: Subscriber): Promise<Subscribing> {
    const login = await store.findLogin(subscriber);
    if (login === null) return { address: null, obstacle: 'notAUser' };
    const parsed = parseAddress(login);
    if (parsed.kind === 'invalid') return { address: null, obstacle: 'noAddress' };
    return { address: formatAddress(parsed.address), obstacle: canSendMail ? null : 'noMailServer' };
  }

  return {
    find,
    list: store.list,
    remove: store.remove,
    add: async (subscriber, subject, by) => {
      // First, so that one of another account is as unknown as any other id.
      await store.assertSubject(subscriber.accountId, subject);
      const { address, obstacle } = await find(subscriber);
      if (obstacle !== null) throw new Conflict(remedies[obstacle]);
      if (address === null) throw new Error('A caller without an obstacle has an address.');
      await store.add(subscriber, subject, { target: address, events: eventsOf[subject.kind] }, by);
    },
  };
}
