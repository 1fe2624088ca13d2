import { z } from '@hono/zod-openapi';
import type { Subscribing, Subscription, SubscriptionObstacle } from '../../../core/events/subscriptions.ts';

const obstacles = {
  notAUser: 'not_a_user',
  noAddress: 'no_address',
  noMailServer: 'no_mail_server',
} as const satisfies Record<SubscriptionObstacle, string>;

/** Body of a user's subscriptions. */
export const subscriptionListBody = z
  .object({
    email: z.string().nullable().openapi({ description: 'Address of the user. Null without one.' }),
    unavailable: z.enum(Object.values(obstacles)).nullable().openapi({
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
    unavailable: obstacle === null ? null : obstacles[obstacle],
    subscriptions: subscriptions.map(({ kind, id, name, createdAt }) => ({
      kind,
      id,
      name,
      created_at: createdAt.toISOString(),
    })),
  };
}
