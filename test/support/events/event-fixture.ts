import { createDeliveryStore } from '../../../db/stores/events/deliveries.ts';
import { createWebhookStore } from '../../../db/stores/events/webhooks.ts';
import { startDelivering } from '../../../src/core/events/deliver-events.ts';
import type { OutboxRunner } from '../../../src/core/outbox/run-outbox.ts';
import { eventTypes } from '../../../src/core/events/event.ts';
import { webhookKinds, type EventChannel } from '../../../src/core/events/event-envelope.ts';
import { createWebhookService, type WebhookService } from '../../../src/core/events/webhook-service.ts';
import type { CreatedWebhook, Delivery } from '../../../src/core/events/webhook-store.ts';
import { openEventChannels } from '../../../src/app/event-channels.ts';
import { onTestFinished } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../db/database.ts';

/** The product's event delivery on the database of a test. */
export interface EventFixture {
  readonly database: TestDatabase;
  readonly webhooks: WebhookService;
  readonly channel: EventChannel;
  /** Errors of the deliveries. */
  readonly errors: readonly unknown[];
  /** Creates a webhook of the account `default` for all events. */
  readonly add: (name: string, url: string) => Promise<CreatedWebhook>;
  /** Creates an event `scan.changes`. Returns its id. */
  readonly emit: (subject: string, payload?: object) => Promise<string>;
  /** Delivers all due events once each, and stops. */
  readonly deliver: (channel?: EventChannel) => Promise<void>;
  /** Delivers continuously until the test ends. */
  readonly start: (channel?: EventChannel) => OutboxRunner;
  /** Makes every scheduled retry due. */
  readonly skipDelays: () => Promise<void>;
  /** Expires every claim, as if its process had died. */
  readonly lapse: () => Promise<void>;
  readonly deliveries: (name: string) => Promise<readonly Delivery[]>;
}

const by = { actor: 'test', address: null };
export const accountId = 1;

/** Opens the fixture until the test ends. Private hosts receive calls if they are allowed. */
export async function openEventFixture({
  allowedHosts = [],
  mail = null,
}: Partial<Parameters<typeof openEventChannels>[0]> = {}): Promise<EventFixture> {
  const database = await openTestDatabase();
  const events = openEventChannels({ allowedHosts, mail });
  onTestFinished(events.close);
  const errors: unknown[] = [];
  const webhooks = createWebhookService({
    store: createWebhookStore(database.app.sql),
    channel: events.channel,
    readTarget: async (...target) => events.readTarget(...target),
    now: () => new Date(),
  });
  const start = (channel = events.channel) => {
    const deliveries = createDeliveryStore(database.app.sql);
    const onError = (error: unknown) => void errors.push(error);
    const started = startDelivering({
      deliveries,
      channel,
      kinds: webhookKinds,
      pollEveryMs: 20,
      random: () => 0.5,
      onError,
    });
    onTestFinished(() => started.close(0));
    return started;
  };
  return {
    database,
    webhooks,
    channel: events.channel,
    errors,
    add: (name, target) =>
      webhooks.create(accountId, { name, kind: 'webhook', target, events: eventTypes }, by),
    emit: (subject, payload = {}) => emitEvent(database, subject, payload),
    deliver: (channel) => start(channel).close(60_000),
    start,
    skipDelays: () =>
      write(database, `UPDATE nightshift.webhook_deliveries SET next_at = now() - interval '1 s'`),
    lapse: () =>
      write(
        database,
        `UPDATE nightshift.webhook_deliveries SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`,
      ),
    deliveries: async (name) => {
      const page = { limit: 100, before: null, state: null };
      return [...((await webhooks.listDeliveries(accountId, name, page)) ?? [])].reverse();
    },
  };
}

async function emitEvent({ app }: TestDatabase, subject: string, payload: object): Promise<string> {
  await app.pool.query(`SELECT nightshift.emit_event($1, 'scan.changes', $2, $3)`, [
    accountId,
    subject,
    JSON.stringify(payload),
  ]);
  const { rows } = await app.pool.query<{ id: string }>(
    'SELECT public_id AS id FROM nightshift.events WHERE subject = $1',
    [subject],
  );
  return rows[0]?.id ?? '';
}

async function write({ owner }: TestDatabase, statement: string): Promise<void> {
  await owner.pool.query(statement);
}
