import type { Invitation } from '../../../core/accounts/user-service.ts';
import type { Reply, StoredResponse } from '../../../core/accounts/stored-response.ts';
import { parseAddress, formatAddress } from '../../../core/emails/syntax/address.ts';
import { invitationMessage } from '../../../core/events/messages/invitation-message.ts';
import { newId } from '../../../core/ids.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { jsonReply, keepSealed, keptSealed } from '../../http/idempotency.ts';
import { Problem } from '../../http/problem.ts';
import type { Router } from '../../http/router.ts';
import { takeMail } from '../webhooks/routes.ts';
import { toInvitationBody } from './users-schema.ts';

/** Creates sign-in links and sends them by mail. */
export interface Inviter {
  /**
   * Returns the address to which the link of a user can be sent, and counts the mail.
   *
   * @throws Problem without a mail server, for a login that is not an address, and after too many mails.
   */
  readonly takeMail: (accountId: number, login: string) => Promise<string>;
  /** Runs the change that creates the link, sends the link to `to` if there is one, and returns the response. */
  readonly invite: (
    c: ApiContext,
    to: string | null,
    create: (kept: StoredResponse<Invitation> | null) => Promise<Invitation>,
  ) => Promise<Reply>;
}

export function createInviter({ services, limits, baseUrl, log, stopping }: Router): Inviter {
  const { mailer, storedResponses } = services.accounts;
  const linkOf = ({ token }: Invitation) => `${baseUrl}/sign-in#${token}`;

  async function mail(c: ApiContext, to: string, invitation: Invitation): Promise<'sent' | 'failed'> {
    const { user, expiresAt } = invitation;
    const message = invitationMessage({
      ...user,
      link: linkOf(invitation),
      expiresAt,
      isFirst: user.lastSignInAt === null,
    });
    const attempt = await mailer?.send({ eventId: newId('inv', Date.now()), to, message }, stopping);
    if (attempt?.kind === 'delivered') return 'sent';
    log.warn(
      { requestId: c.var.requestId, error: attempt?.error },
      'The mail with a sign-in link was not sent.',
    );
    return 'failed';
  }

  return {
    takeMail: async (accountId, login) => {
      const address = addressOf(login, mailer !== null);
      await takeMail(limits, { accountId, address });
      return address;
    },
    invite: async (c, to, create) => {
      const toReply = (invitation: Invitation, sent: 'sent' | 'failed' | 'not_requested') =>
        jsonReply(201, toInvitationBody(invitation, linkOf(invitation), sent));
      const unsent = (invitation: Invitation) => toReply(invitation, 'not_requested');
      if (to === null) return unsent(await create(keptSealed(c, unsent)));
      // A mail is sent after the transaction, so that a link in a mail exists. The response then contains its result.
      const invitation = await create(null);
      const reply = toReply(invitation, await mail(c, to, invitation));
      await keepSealed(c, storedResponses, reply);
      return reply;
    },
  };
}

function addressOf(login: string, canSendMail: boolean): string {
  if (!canSendMail)
    throw new Problem('validation_error', {
      titles: [
        'send_mail: no mail server is configured. Send the link yourself, or ask the operator to set NIGHTSHIFT_SMTP_URL and NIGHTSHIFT_MAIL_FROM',
      ],
    });
  const parsed = parseAddress(login);
  if (parsed.kind === 'address') return formatAddress(parsed.address);
  throw new Problem('validation_error', {
    titles: ['send_mail: the login is not an e-mail address. Send the link yourself'],
  });
}
