import { z } from '@hono/zod-openapi';
import { roles } from '../../../core/accounts/roles.ts';
import type { SignedIn } from '../../../core/accounts/authenticate.ts';
import type { OwnSession } from '../../../core/accounts/session-store.ts';
import { text } from '../../http/text.ts';

const method = z.enum(['password', 'link', 'provider']);

/** Body of a session: its user, or the ways to sign in. */
export const sessionBody = z
  .object({
    user: z
      .object({
        id: z.string().openapi({ example: 'usr_01a1ff734ad87655b2c761ba36458456' }),
        login: z.string(),
        account: z.string(),
        role: z.enum(roles),
        permissions: z.array(z.string()).openapi({ description: 'The scopes, and `operator`.' }),
        has_password: z.boolean(),
        signed_in_by: method,
        signed_in_at: z.iso.datetime(),
      })
      .nullable()
      .openapi({ description: 'Null: nobody is signed in.' }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'What the identity provider is called, where one can sign in through one.' }),
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

/** With a password, or with a link. */
export const signInRequest = z
  .union([z.strictObject({ login, password }), z.strictObject({ link: text().min(1).max(200) })])
  .openapi('SignIn');

export const passwordRequest = z
  .strictObject({
    current: password.optional().openapi({
      description:
        'The password so far; not needed where there is none, or one has just signed in by a link.',
    }),
    password: password.openapi({ description: '12 to 200 characters.' }),
  })
  .openapi('NewPassword');

export const sessionListBody = z
  .object({
    sessions: z.array(
      z.object({
        id: z.string(),
        signed_in_by: method,
        address: z.string(),
        agent: z.string().openapi({ description: 'What the browser calls itself.' }),
        began_at: z.iso.datetime(),
        seen_at: z.iso.datetime().openapi({ description: 'To the minute.' }),
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
