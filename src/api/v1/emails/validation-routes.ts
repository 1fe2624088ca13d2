import { createRoute } from '@hono/zod-openapi';
import { parseEmailQuery } from '../../../core/emails/syntax/email-query.ts';
import type { ValidatedEmail } from '../../../core/validation/validate-request.ts';
import { jsonReply, storeInTransaction, send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { emailValidationBody, emailValidationRequest, toEmailValidationBody } from './validation-schema.ts';
import { postHeaders } from '../../http/headers.ts';

/** Routes `POST /v1/people/email-validation`: the verdict on one address (docs/architecture/contract.md, 4.2). */
export function routeEmailValidation({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/people/email-validation',
    summary: 'Email validation',
    description:
      'Validates an e-mail address. A malformed address has the verdict `invalid` and is not an error; a missing address is an error.',
    tags: ['Email'],
    middleware: guards.postJson('email:validate'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: emailValidationRequest } } },
    },
    responses: {
      200: {
        description: 'The verdict.',
        content: { 'application/json': { schema: emailValidationBody } },
      },
      ...problemResponses('post', 'insufficient_credits'),
    },
  });
  http.openapi(route, async (c) => {
    const { email } = c.req.valid('json');
    // The address is stored without surrounding spaces and returned as it was sent.
    const toReply = ({ verdict, chargedMicro }: ValidatedEmail) =>
      jsonReply(200, toEmailValidationBody({ ...verdict, email }, { chargedMicro }));
    const answer = await services.lookups.validateEmail({
      accountId: c.var.caller.accountId,
      address: parseEmailQuery(email),
      requestId: c.var.requestId,
      kept: storeInTransaction(c, toReply),
    });
    return send(c, toReply(answer)) as never;
  });
}
