import { problemKinds, type ProblemCode } from './problem.ts';
import { problemBody } from './problem-schema.ts';

/** Problems of every route under /v1. */
const common: readonly ProblemCode[] = [
  'validation_error',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];

/** Further problems of every route with a body. */
const ofBodies: readonly ProblemCode[] = ['request_timeout', 'payload_too_large', 'unsupported_media_type'];

/** Further problems of every route that takes an Idempotency-Key. */
const ofPosts: readonly ProblemCode[] = [...ofBodies, 'idempotency_conflict', 'idempotency_key_reused'];

const ofMethods = { get: [], delete: [], patch: ofBodies, ask: ofBodies, post: ofPosts } as const;

/** Documents the errors of a route by status, with the codes that each can have. `ask` is a POST that changes nothing. */
export function problemResponses(method: keyof typeof ofMethods, ...codes: readonly ProblemCode[]) {
  const all = new Set([...common, ...ofMethods[method], ...codes]);
  const statuses = [...new Set([...all].map((code) => problemKinds[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      responseOf([...all].filter((code) => problemKinds[code].status === status)),
    ]),
  );
}

function responseOf(codes: readonly ProblemCode[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join(' '),
    content: { 'application/json': { schema: problemBody } },
  };
}

/** Problems before routing: an unreadable request, or a server that shuts down. */
export const unreadable = Object.fromEntries(
  (['validation_error', 'internal_error', 'service_unavailable'] as const).map((code) => [
    problemKinds[code].status,
    responseOf([code]),
  ]),
);
