import { z } from '@hono/zod-openapi';
import { roles } from '../../../core/accounts/roles.ts';
import { isLogin } from '../../../core/accounts/user-rules.ts';
import type { Invitation } from '../../../core/accounts/user-service.ts';
import type { User } from '../../../core/accounts/user-store.ts';
import { text } from '../../http/text.ts';

const role = z.enum(roles);

export const userBody = z
  .object({
    id: z.string().openapi({ example: 'usr_01a1ff734ad87655b2c761ba36458456' }),
    login: z.string().openapi({ example: 'jane@example.com' }),
    role,
    state: z.enum(['invited', 'active', 'disabled']).openapi({
      description: 'State of the user. `invited`: has not signed in yet. `disabled`: cannot sign in.',
    }),
    has_password: z.boolean(),
    created_at: z.iso.datetime(),
    last_sign_in_at: z.iso.datetime().nullable(),
  })
  .openapi('User');

export const userListBody = z
  .object({
    users: z.array(userBody),
    mail_from: z
      .string()
      .nullable()
      .openapi({ description: 'Sender of mails with sign-in links. Null if no mail server is configured.' }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the identity provider for sign-in. Null if none is configured.' }),
  })
  .openapi('UserList');

export const invitationBody = userBody
  .extend({
    link: z.string().openapi({
      description: 'Link that signs the user in once. Returned only in this response.',
      example: 'https://nightshift.example.com/sign-in#q0ZP…',
    }),
    link_expires_at: z.iso.datetime(),
    mail: z.enum(['sent', 'failed', 'not_requested']).openapi({
      description: 'Result of the mail. `failed`: the mail server did not take it; send the link yourself.',
    }),
  })
  .openapi('Invitation');

const sendMail = z
  .boolean()
  .default(false)
  .openapi({ description: 'Sends the link to the login, which must be an e-mail address.' });

export const invitationRequest = z
  .strictObject({
    login: text()
      .trim()
      .refine(isLogin, {
        error: 'must be an e-mail address or a name without blanks, of at most 254 characters',
      })
      .openapi({ description: 'E-mail address or name with which the user signs in.' }),
    role: role.default('member'),
    send_mail: sendMail,
  })
  .openapi('InvitationRequest');

export const signInLinkRequest = z.strictObject({ send_mail: sendMail }).openapi('SignInLinkRequest');

export const userChangeRequest = z
  .strictObject({
    role: role.optional(),
    disabled: z.boolean().optional().openapi({ description: 'A disabled user is signed out at once.' }),
  })
  .openapi('UserChange');

export function toUserBody(user: User): z.infer<typeof userBody> {
  return {
    id: user.userId,
    login: user.login,
    role: user.role,
    state: stateOf(user),
    has_password: user.hasPassword,
    created_at: user.createdAt.toISOString(),
    last_sign_in_at: user.lastSignInAt?.toISOString() ?? null,
  };
}

function stateOf({ disabledAt, lastSignInAt }: User): z.infer<typeof userBody>['state'] {
  if (disabledAt !== null) return 'disabled';
  return lastSignInAt === null ? 'invited' : 'active';
}

export function toInvitationBody(
  { user, expiresAt }: Invitation,
  link: string,
  mail: z.infer<typeof invitationBody>['mail'],
): z.infer<typeof invitationBody> {
  return { ...toUserBody(user), link, link_expires_at: expiresAt.toISOString(), mail };
}
