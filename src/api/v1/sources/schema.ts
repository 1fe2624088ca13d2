import { z } from '@hono/zod-openapi';
import type { SmokeResult } from '../../../core/sources/state/smoke-test.ts';
import type { SourceState } from '../../../core/sources/state/source-state.ts';
import { pauseKinds } from '../../../core/work/pause.ts';
import { text } from '../../http/text.ts';

const shapeDifference = {
  missing: z.array(z.string()).openapi({ description: 'Recorded keys that the response lacks, as paths.' }),
  added: z
    .array(z.string())
    .openapi({ description: 'Keys of the response that are not recorded, as paths.' }),
};

const priceBody = z
  .object({
    amount: z.number(),
    currency: z.string().openapi({ description: '`USD`, `credits` or `searches` of the vendor.' }),
    unit: z.string(),
  })
  .openapi('SourcePrice');

const pauseBody = z
  .object({
    kind: z.enum(pauseKinds),
    reason: z.string(),
    until: z.iso.datetime(),
  })
  .openapi('SourcePause');

const limitsBody = z
  .object({
    requests_per_second: z.number().nullable(),
    concurrency: z.number().int().nullable(),
    calls_per_day: z.number().int().nullable(),
    deadline_seconds: z.number(),
  })
  .openapi('SourceLimits');

const sourceBody = z
  .object({
    name: z.string(),
    about: z.string().openapi({ description: 'The source itself, in a few words.' }),
    platform: z
      .string()
      .nullable()
      .openapi({ description: 'Ad platform; `any` if a file decides. Null for data of this installation.' }),
    configured: z.boolean().openapi({ description: 'True if lookups can use it.' }),
    lacks: z.string().nullable().openapi({
      description: 'What is missing, with the remedy. Null if nothing is, and for all but operators.',
    }),
    is_default: z.boolean().openapi({ description: 'True if lookups that name no source use it.' }),
    has_regions: z.boolean().openapi({ description: 'True if a search can be limited to a country.' }),
    charges: z.boolean().openapi({ description: 'True if the vendor charges for calls.' }),
    price: priceBody.nullable().openapi({
      description: 'What the vendor charges. Null if it charges nothing, or if the price book has no price.',
    }),
    limits: limitsBody.nullable().openapi({
      description: 'Limits of its calls, over all processes. Null without calls, and for all but operators.',
    }),
    pause: pauseBody
      .nullable()
      .openapi({ description: 'Pause of its calls; one that has passed lasts until a probe succeeds.' }),
    checked_shape: z.boolean().nullable().openapi({
      description:
        'True if its adapter is tested against recorded responses. Null for data of this installation.',
    }),
    checked_live: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time of the last smoke test. Null without one.' }),
    live: z
      .object({ outcome: z.string(), ...shapeDifference })
      .nullable()
      .openapi({ description: 'Result of the last smoke test.' }),
  })
  .openapi('Source');

export const sourceListBody = z.object({ sources: z.array(sourceBody) }).openapi('SourceList');

export const smokeRequest = z
  .strictObject({ company_domain: text().max(500), company_name: text().max(500).optional() })
  .openapi('SmokeTestRequest');

export const smokeBody = z
  .object({
    source: z.string(),
    outcome: z.string().openapi({ description: 'Outcome of the search, or the code of its error.' }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Reason why the response could not be parsed. Null if it could.' }),
    compared: z.boolean().openapi({
      description: 'False for a company without ads: nothing is compared or stored. Choose one with ads.',
    }),
    ...shapeDifference,
  })
  .openapi('SmokeTest');

/** Converts a state to the body of a source; `isOperators` includes what only operators may read. */
export function toSourceBody(
  state: SourceState,
  { isOperators }: { readonly isOperators: boolean },
): z.infer<typeof sourceBody> {
  const { price, pause, checkedLive: live } = state;
  return {
    name: state.id,
    about: state.about,
    platform: state.platform,
    configured: state.lacks === null,
    lacks: isOperators ? state.lacks : null,
    is_default: state.isDefault,
    has_regions: state.hasRegions,
    charges: state.charges,
    price:
      price === null ? null : { amount: Number(price.amount), currency: price.currency, unit: price.unit },
    limits: isOperators ? toLimitsBody(state) : null,
    pause:
      pause === null ? null : { kind: pause.kind, reason: pause.reason, until: pause.until.toISOString() },
    checked_shape: state.checkedShape,
    checked_live: live?.checkedAt.toISOString() ?? null,
    live:
      live === null ? null : { outcome: live.outcome, missing: [...live.missing], added: [...live.added] },
  };
}

function toLimitsBody({ limits }: SourceState): z.infer<typeof limitsBody> | null {
  if (limits === null) return null;
  return {
    requests_per_second: limits.pace?.requestsPerSecond ?? null,
    concurrency: limits.concurrency,
    calls_per_day: limits.callsPerDay,
    deadline_seconds: limits.deadlineMs / 1000,
  };
}

/** Converts the result of a smoke test to its body. */
export function toSmokeBody({ source, outcome, reason, missing, added, isCompared }: SmokeResult) {
  return { source, outcome, reason, compared: isCompared, missing: [...missing], added: [...added] };
}
