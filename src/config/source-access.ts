import { parseSpend } from '../core/sources/spend.ts';
import type { SourceLimits } from '../core/sources/source-call.ts';
import {
  requiredSettings,
  type LiveSourceDefinition,
  type SourceAccess,
} from '../sources/definition/source-definition.ts';
import { halfSet } from './setting.ts';
import { limitName, type Limit, type SourceValue } from './source-settings.ts';

type Values = Readonly<Record<string, SourceValue | undefined>>;

/** Settings and limits of the live sources that are turned on, by the id of the source. */
export function toSourceAccess(
  liveSources: readonly LiveSourceDefinition[],
  values: Values,
  spendPerDay: string | undefined,
): ReadonlyMap<string, SourceAccess> {
  return new Map(
    liveSources
      .filter(({ settings }) => requiredSettings(settings).every((name) => isSet(values[name])))
      .map((source) => [source.id, accessOf(source, values, spendPerDay)]),
  );
}

/** One sentence for each source that is configured in part. */
export function halfSetSources(
  liveSources: readonly LiveSourceDefinition[],
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  return liveSources.flatMap(({ settings }) => halfSet(given, requiredSettings(settings)));
}

/** A required boolean is a consent. */
function isSet(value: SourceValue | undefined): boolean {
  return value !== undefined && value !== false;
}

function accessOf(
  source: LiveSourceDefinition,
  values: Values,
  spendPerDay: string | undefined,
): SourceAccess {
  const declared = Object.entries(source.settings);
  return {
    source,
    settings: Object.fromEntries(
      declared.map(([key, setting]) => [key, values[setting.name] ?? setting.default ?? null]),
    ),
    limits: limitsOf(source, values, spendPerDay),
    namedHosts: declared.flatMap(([, { kind, name }]) => (kind === 'url' ? hostOf(values[name]) : [])),
  };
}

function hostOf(url: SourceValue | undefined): readonly string[] {
  return typeof url === 'string' ? [new URL(url).host] : [];
}

function limitsOf(
  { id, limits }: LiveSourceDefinition,
  values: Values,
  spendPerDay: string | undefined,
): SourceLimits {
  if (limits.kind === 'fixed') return limits.limits;
  const spend = parseSpend(String(values[limitName(id, 'MAX_SPEND_PER_DAY')] ?? spendPerDay ?? ''));
  const given = (limit: Limit) => {
    const value = values[limitName(id, limit)];
    return value === undefined ? null : Number(value);
  };
  return {
    pace: {
      requestsPerSecond: given('REQUESTS_PER_SECOND') ?? limits.requestsPerSecond,
      burst: given('BURST') ?? limits.burst,
    },
    concurrency: given('CONCURRENCY'),
    callsPerDay: given('CALLS_PER_DAY'),
    ...(spend === null ? {} : { spendPerDay: spend }),
    deadlineMs: (given('DEADLINE_SECONDS') ?? limits.deadlineSeconds) * 1000,
  };
}
