import { z } from '@hono/zod-openapi';
import { roles } from '../../../core/accounts/roles.ts';
import type { SignedIn } from '../../../core/accounts/authenticate.ts';
import type { OwnSession } from '../../../core/accounts/session-store.ts';
import { text } from '../../http/text.ts';

const method = z.enum(['password', 'link', 'provider']);

/** Body of a session: its user, and the identity provider. */
export const sessionBody = z
  .object({
    user: z
      .object({
        id: z.string().openapi({ example: 'usr_01a1ff734ad87655b2c761ba36458456' }),
        login: z.string(),
        account: z.string(),
        viewed_account: z
          .string()
          .nullable()
          .openapi({ description: 'Account that an operator views, read-only. Null: the own account.' }),
        role: z.enum(roles),
        permissions: z
          .array(z.string())
          .openapi({ description: 'Permissions of the user: scopes, and `operator`.' }),
        has_password: z.boolean(),
        signed_in_by: method,
        signed_in_at: z.iso.datetime(),
      })
      .nullable()
      .openapi({ description: 'The user who is signed in. Null without a session.' }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the identity provider for sign-in. Null if none is configured.' }),
  })
  .openapi('Session');

export function toSessionBody(found: SignedIn | null, provider: string | null): z.infer<typeof sessionBody> {
  if (found === null) return { user: null, provider };
  const { session, caller } = found;
  return {
    user: {
      id: session.userId,
      login: session.login,
      account: session.account,
      viewed_account: session.viewed?.account ?? null,
      role: session.role,
      permissions: [...caller.permissions],
      has_password: session.hasPassword,
      signed_in_by: session.method,
      signed_in_at: session.beganAt.toISOString(),
    },
    provider,
  };
}

const login = text().trim().min(1).max(254);
const password = text().min(1).max(1000);

/** Request to sign in with a password or with a link. */
export const signInRequest = z
  .union([z.strictObject({ login, password }), z.strictObject({ link: text().min(1).max(200) })])
  .openapi('SignIn');

export const passwordRequest = z
  .strictObject({
    current: password.optional().openapi({
      description:
        'The current password. Not required if the user has none or has signed in by a link within the last 15 minutes.',
    }),
    password: password.openapi({ description: 'The new password: 12 to 200 characters.' }),
  })
  .openapi('NewPassword');

export const sessionListBody = z
  .object({
    sessions: z.array(
      z.object({
        id: z.string(),
        signed_in_by: method,
        address: z.string(),
        agent: z.string().openapi({ description: 'User agent of the browser.' }),
        began_at: z.iso.datetime(),
        seen_at: z.iso.datetime().openapi({ description: 'Time of the last request, to the minute.' }),
        current: z.boolean(),
      }),
    ),
  })
  .openapi('SessionList');

export function toSessionListBody(sessions: readonly OwnSession[]): z.infer<typeof sessionListBody> {
  return {
    sessions: sessions.map((session) => ({
      id: session.sessionId,
      signed_in_by: session.method,
      address: session.address,
      agent: session.agent,
      began_at: session.beganAt.toISOString(),
      seen_at: session.seenAt.toISOString(),
      current: session.isThis,
    })),
  };
}
