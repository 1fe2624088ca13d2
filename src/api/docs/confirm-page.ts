import type { OpenAPIHono } from '@hono/zod-openapi';
import { html } from 'hono/html';
import type { WebhookService } from '../../core/events/webhook-service.ts';
import type { ApiContext, ApiEnv } from '../http/api-env.ts';
import { takeFailure } from '../http/authorise.ts';
import type { RequestLimits } from '../http/request-limits.ts';
import { page, type Html } from './page.ts';

const path = '/webhooks/confirm';

/** Content security policy of the page: like other pages, with a form that posts to this server. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Builds the URLs of the page that confirms a mailbox. */
export function confirmPage(baseUrl: string): (token: string) => string {
  return (token) => `${baseUrl}${path}/${token}`;
}

/**
 * Routes the page behind the link in a confirmation mail. Opening it confirms nothing, because mail scanners open links, too. The user
 * has to press a button.
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
      html`<h1>Confirm e-mail notifications</h1>
        <p>Nightshift will send events of batches and schedules to this mailbox.</p>
        <form method="post"><button type="submit">Confirm</button></form>
        <p>If you did not expect this, close the page. You will receive no further mail.</p>`,
    ),
  );
  http.post(`${path}/:token`, async (c) => {
    const address = await webhooks.confirm(c.req.param('token'), c.var.address);
    if (address !== null)
      return show(
        c,
        'Confirmed – Nightshift',
        html`<h1>Confirmed</h1>
          <p>Nightshift now sends events to ${address}.</p>`,
      );
    await takeFailure(limits, c, 'Too many invalid confirmation links from this address');
    c.status(404);
    return show(
      c,
      'Not confirmed – Nightshift',
      html`<h1>This link is invalid</h1>
        <p>
          It was used before, is older than a week, or was replaced by a newer one. Test the webhook again.
        </p>`,
    );
  });
}
