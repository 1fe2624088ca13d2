import type { OpenAPIHono } from '@hono/zod-openapi';
import { html } from 'hono/html';
import type { WebhookService } from '../../core/events/webhook-service.ts';
import type { ApiContext, ApiEnv } from '../http/api-env.ts';
import { takeFailure } from '../http/authorise.ts';
import type { RequestLimits } from '../http/request-limits.ts';
import { page, type Html } from './page.ts';

const path = '/webhooks/confirm';

/** As other pages, and its one button sends to this server. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The address of the page on which whoever reads a mailbox confirms it. */
export function confirmPage(baseUrl: string): (token: string) => string {
  return (token) => `${baseUrl}${path}/${token}`;
}

/**
 * The page that a mailbox is sent a link to. Looking at it confirms nothing, because programs look at links in mails too: a person presses
 * the button.
 */
export function routeConfirmation(
  http: OpenAPIHono<ApiEnv>,
  {
    webhooks,
    limits,
  }: { readonly webhooks: Pick<WebhookService, 'confirm'>; readonly limits: RequestLimits },
): void {
  const show = (c: ApiContext, title: string, body: Html) => {
    c.header('Content-Security-Policy', pagePolicy);
    c.header('Referrer-Policy', 'no-referrer');
    return c.html(page(title, body));
  };
  http.get(`${path}/:token`, (c) =>
    show(
      c,
      'Confirm – Nightshift',
      html`<h1>May Nightshift send you events?</h1>
        <p>Somebody asked that this mailbox is told of finished batches and changed ads.</p>
        <form method="post"><button type="submit">Yes, send them</button></form>
        <p>If you did not expect this, close the page: nothing more is sent to you.</p>`,
    ),
  );
  http.post(`${path}/:token`, async (c) => {
    const address = await webhooks.confirm(c.req.param('token'), c.var.address);
    if (address !== null)
      return show(
        c,
        'Confirmed – Nightshift',
        html`<h1>Confirmed</h1>
          <p>Events are sent to ${address} from now on.</p>`,
      );
    await takeFailure(limits, c, 'Too many links that are good for nothing from this address');
    c.status(404);
    return show(
      c,
      'Not confirmed – Nightshift',
      html`<h1>This link is good for nothing any more</h1>
        <p>
          It was used already, is older than a week, or a newer one was sent. Ask for another test of the
          webhook.
        </p>`,
    );
  });
}
