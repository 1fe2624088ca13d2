import type { Breakage } from './breakage.ts';

/** Stores the response to a search for a repeated request, under a request id. */
function keepAnswer(requestId: string, credits: number): string {
  const body = JSON.stringify({ ads_count: 1, credits_consumed: credits });
  return `INSERT INTO nightshift.idempotency_keys (account_id, key, request_id, fingerprint, status, headers, body)
    VALUES (1, 'k', '${requestId}', '\\x00', 200, '{}', convert_to('${body}', 'UTF8'))`;
}

/** Ways to break invariant 7. */
export const replies: readonly Breakage[] = [
  {
    number: 7,
    name: 'a stored response with another charge',
    by: () => keepAnswer('req_1', 0.4),
    finding: ({ request }) => `says that it cost 0.4; its lookup ${request} cost 0.2`,
  },
  {
    number: 7,
    name: 'a stored response to an unknown search',
    by: () => keepAnswer('req_2', 0.2),
    finding: () => 'the answer kept for request req_2 has no lookup',
  },
];
