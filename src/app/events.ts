import { createDeliveryStore } from '../../db/stores/events/deliveries.ts';
import { createActivityStore } from '../../db/stores/work/service-activity.ts';
import { createSubscriptionStore } from '../../db/stores/events/subscriptions.ts';
import { createWebhookStore } from '../../db/stores/events/webhooks.ts';
import { webhookKinds } from '../core/events/event-envelope.ts';
import { startDelivering } from '../core/events/deliver-events.ts';
import type { OutboxRunner } from '../core/outbox/run-outbox.ts';
import { createSubscriptionService, type SubscriptionService } from '../core/events/subscriptions.ts';
import { createWebhookService, type WebhookService } from '../core/events/webhook-service.ts';
import type { ActivityStore } from '../core/work/service-activity.ts';
import { openEventsLazily } from './lazy.ts';
import type { Wiring } from './wiring.ts';

/** Services of webhooks, and the delivery of events to them. */
export interface EventServices {
  readonly webhooks: WebhookService;
  readonly subscriptions: SubscriptionService;
  /** Recent scans and failed deliveries of all processes. */
  readonly activity: ActivityStore;
  /** Delivers events from this process. */
  readonly startDelivering: () => OutboxRunner;
}

/** Wires webhooks, Slack and mail; their clients open with the first event. */
export function wireEvents({ config, log, closers, servers }: Wiring): EventServices {
  const db = servers.database.sql;
  const channels = openEventsLazily(config, closers);
  return {
    webhooks: createWebhookService({ ...channels, store: createWebhookStore(db), now: () => new Date() }),
    subscriptions: createSubscriptionService({
      store: createSubscriptionStore(db),
      canSendMail: config.mail !== null,
    }),
    activity: createActivityStore(db),
    startDelivering: () =>
      startDelivering({
        ...channels,
        deliveries: createDeliveryStore(db),
        // A process without a mail server leaves mail to one that has it.
        kinds: webhookKinds.filter((kind) => kind !== 'email' || config.mail !== null),
        pollEveryMs,
        random: Math.random,
        onError: (error) => log.warn({ err: error }, 'event delivery failed; will retry'),
      }),
  };
}

/** Interval at which this process polls for new events. */
const pollEveryMs = 1000;
