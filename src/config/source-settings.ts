import { z } from 'zod';
import type { LiveSourceDefinition } from '../sources/definition/source-definition.ts';
import type { SourceSetting } from '../sources/definition/source-setting.ts';
import {
  integer,
  seconds,
  setting,
  spend,
  webAddress,
  wholeNumber,
  yesOrNo,
  type Described,
} from './setting.ts';

/** Value of a setting of a source. */
export type SourceValue = string | number | boolean;

/** Suffix of the setting for a limit of calls to a source. */
export type Limit =
  | 'REQUESTS_PER_SECOND'
  | 'BURST'
  | 'CONCURRENCY'
  | 'CALLS_PER_DAY'
  | 'MAX_SPEND_PER_DAY'
  | 'DEADLINE_SECONDS';

/** A parsed setting of a source; undefined without a value, in which case the source's own default applies. */
type ParsedSetting = Described<z.ZodType<SourceValue | undefined>>;

/** Settings of live sources by name. */
export type SourceSettingsByName = Readonly<Record<string, ParsedSetting>>;

/** Settings of live sources, as the sources declare them: for each, its own settings, then its limits. */
export function settingsOfSources(sources: readonly LiveSourceDefinition[]): SourceSettingsByName {
  return Object.fromEntries(
    sources.flatMap((source) => [
      ...Object.values(source.settings).map((declared) => [declared.name, toSetting(declared)] as const),
      ...limitSettings(source),
    ]),
  );
}

/** Schema of the environment of live sources: every setting by its name. */
export function sourceEnvironment(settings: SourceSettingsByName) {
  return z.object(Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])));
}

/** Name of the setting for a limit of a source. */
export function limitName(id: string, limit: Limit): string {
  return `NIGHTSHIFT_${id.toUpperCase()}_${limit}`;
}

function toSetting(declared: SourceSetting): ParsedSetting {
  const { kind, what } = declared;
  if (kind === 'boolean')
    return setting(yesOrNo.optional(), {
      unit: 'true, false',
      defaultText: String(declared.default),
      what,
    });
  if (kind === 'integer')
    return setting(
      integer
        .min(declared.min ?? 1)
        .max(declared.max)
        .optional(),
      {
        unit: declared.unit,
        defaultText: String(declared.default),
        what,
      },
    );
  const { unit = kind === 'url' ? 'URL' : 'text', default: defaultText = 'none' } = declared;
  const schema = kind === 'url' ? webAddress : z.string().min(1);
  return setting(schema.optional(), { unit, defaultText, what, secret: kind === 'secret' });
}

/** Limits of one source; the same for all sources, and shared by all processes on all hosts. */
function limitSettings(source: LiveSourceDefinition): readonly (readonly [string, ParsedSetting])[] {
  const { id, label, limits } = source;
  if (limits.kind === 'fixed') return [];
  const settings: readonly (readonly [Limit, ParsedSetting])[] = [
    [
      'REQUESTS_PER_SECOND',
      setting(z.coerce.number().positive().max(10_000).optional(), {
        unit: 'requests/s',
        defaultText: String(limits.requestsPerSecond),
        what: `The pace ${label} allows, held by all processes together.`,
      }),
    ],
    [
      'BURST',
      setting(wholeNumber.optional(), {
        unit: 'requests',
        defaultText: String(limits.burst),
        what: 'How far above the pace a single second may go.',
      }),
    ],
    [
      'CONCURRENCY',
      setting(wholeNumber.optional(), {
        unit: 'calls',
        defaultText: 'no limit',
        what: `Calls to ${label} in flight at most, of all processes together.`,
      }),
    ],
    [
      'CALLS_PER_DAY',
      setting(wholeNumber.optional(), {
        unit: 'calls',
        defaultText: 'no limit',
        what: `Calls to ${label} a day at most, by UTC; then what needs it waits for the next.`,
      }),
    ],
    [
      'MAX_SPEND_PER_DAY',
      setting(spend.optional(), {
        unit: 'amount and currency',
        defaultText: 'NIGHTSHIFT_MAX_SPEND_PER_DAY',
        what: `Cost of the calls to ${label} a day at most, by UTC and by its price, such as 10USD; then what needs it waits for the next.`,
      }),
    ],
    [
      'DEADLINE_SECONDS',
      setting(seconds.optional(), {
        unit: 's',
        defaultText: String(limits.deadlineSeconds),
        what: `How long one call to ${label} may take.`,
      }),
    ],
  ];
  return settings.map(([limit, described]) => [limitName(id, limit), described]);
}
