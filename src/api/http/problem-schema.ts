import { z } from '@hono/zod-openapi';
import { problemKinds, type Problem, type ProblemContext } from './problem.ts';

/** The error body (docs/architecture/contract.md, 7). */
export const problemBody = z
  .object({
    errors: z
      .array(
        z.object({
          type: z
            .url()
            .openapi({ description: 'URL of the page about the error: {base_url}/errors/<code>.' }),
          title: z.string().openapi({ description: 'Human-readable explanation of the error.' }),
          status: z.int().min(400).max(599).openapi({ description: 'The HTTP status.' }),
          code: z.enum(Object.keys(problemKinds) as [keyof typeof problemKinds]),
        }),
      )
      .min(1)
      .openapi({ description: 'One or more errors.' }),
    meta: z.object({
      request_id: z
        .string()
        .openapi({ description: 'Identifier of the request; also in the header X-Request-Id.' }),
      timestamp: z.iso.datetime({ precision: 3 }).openapi({ description: 'Time of the response, in UTC.' }),
    }),
  })
  .openapi('Problem');

/** Creates the body of an error response. */
export function toProblemBody(
  { code, titles }: Problem,
  { baseUrl, requestId, now }: ProblemContext,
): z.infer<typeof problemBody> {
  const { status } = problemKinds[code];
  return {
    errors: titles.map((title) => ({ type: `${baseUrl}/errors/${code}`, title, status, code })),
    meta: { request_id: requestId, timestamp: now.toISOString() },
  };
}
