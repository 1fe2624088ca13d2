import { z } from '@hono/zod-openapi';
import {
  subscriptionObstacles,
  type Subscribing,
  type Subscription,
} from '../../../core/events/subscriptions.ts';

/** Body of a user's subscriptions. */
export const subscriptionListBody = z
  .object({
    email: z.string().nullable().openapi({ description: 'Address of the user. Null without one.' }),
    unavailable: z.enum(subscriptionObstacles).nullable().openapi({
      description:
        'Reason why no subscription can be added. `not_a_user`: the caller is a key. `no_address`: the login is not an e-mail address. `no_mail_server`: the operator has to set `NIGHTSHIFT_SMTP_URL` and `NIGHTSHIFT_MAIL_FROM`. Otherwise null.',
    }),
    subscriptions: z.array(
      z.object({
        kind: z.enum(['batch', 'schedule']),
        id: z.string().openapi({ description: 'Id of the batch or schedule.' }),
        name: z.string(),
        created_at: z.iso.datetime(),
      }),
    ),
  })
  .openapi('SubscriptionList');

export function toSubscriptionListBody(
  { address, obstacle }: Subscribing,
  subscriptions: readonly Subscription[],
): z.infer<typeof subscriptionListBody> {
  return {
    email: address,
    unavailable: obstacle,
    subscriptions: subscriptions.map(({ kind, id, name, createdAt }) => ({
      kind,
      id,
      name,
      created_at: createdAt.toISOString(),
    })),
  };
}
