import { createRoute } from '@hono/zod-openapi';
import { validateEmail } from '../../core/email/validate-email.ts';
import { problemResponses } from '../problem-responses.ts';
import type { Router } from '../router.ts';
import {
  emailValidationBody,
  emailValidationRequest,
  toEmailValidationBody,
} from '../wire/email-validation.ts';
import { postHeaders } from '../wire/headers.ts';

/** `POST /v1/people/email-validation`: the verdict on one address (service contract §4.2). */
export function routeEmailValidation({ http, guards }: Router): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/people/email-validation',
    summary: 'Email validation',
    description:
      'Says what is known about an address. A malformed address is an answer, `invalid`, and no error; a missing one is an error.',
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
      ...problemResponses('post'),
    },
  });
  http.openapi(route, (c) => c.json(toEmailValidationBody(validateEmail(c.req.valid('json').email)), 200));
}
