import { useEffect, useState } from 'preact/hooks';
import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { formatLocal } from '../../components/days.ts';
import { Field } from '../../components/forms/field.tsx';
import { Notice } from '../../components/banner.tsx';
import { everies, toCron, weekdays, type Every, type When } from './recurrence.ts';

const settleMs = 300;

/** Asks when a schedule is to run, in the ways people say it or as a pattern, and shows what that comes to. */
export function WhenPicker({
  when,
  zone,
  onChange,
  onZone,
}: {
  readonly when: When;
  /** IANA name. */
  readonly zone: string;
  readonly onChange: (when: When) => void;
  readonly onZone: (zone: string) => void;
}) {
  const change = (part: Partial<When>) => onChange({ ...when, ...part });
  const { every } = when;
  return (
    <>
      <div class="when">
        <Field label="How often">
          <select
            value={every}
            onChange={({ currentTarget }) => {
              const next = currentTarget.value as Every;
              // Who goes on by hand begins with what was chosen.
              change(next === 'pattern' ? { every: next, pattern: toCron(when) } : { every: next });
            }}
          >
            {everies.map(([value, name]) => (
              <option key={value} value={value} selected={value === every}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        {every === 'week' && (
          <Field label="On">
            <select
              value={String(when.weekday)}
              onChange={({ currentTarget }) => change({ weekday: Number(currentTarget.value) })}
            >
              {weekdays.map((name, day) => (
                <option key={name} value={String(day)} selected={day === when.weekday}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        {every === 'month' && (
          <Field label="On day" hint="Months without that day are left out.">
            <input
              type="number"
              min={1}
              max={31}
              required
              value={when.dayOfMonth}
              onInput={({ currentTarget }) => change({ dayOfMonth: Number(currentTarget.value) })}
            />
          </Field>
        )}
        {every !== 'pattern' && (
          <Field label={every === 'hour' ? 'At minute' : 'At'}>
            {every === 'hour' ? (
              <input
                type="number"
                min={0}
                max={59}
                required
                value={Number(when.time.slice(3))}
                onInput={({ currentTarget }) =>
                  change({ time: `00:${currentTarget.value.padStart(2, '0')}` })
                }
              />
            ) : (
              <input
                type="time"
                required
                value={when.time}
                onInput={({ currentTarget }) => change({ time: currentTarget.value })}
              />
            )}
          </Field>
        )}
        {every === 'pattern' && (
          <Field
            label="Pattern"
            hint="Minute, hour, day of the month, month, day of the week, as crontab has them."
          >
            <input
              class="code"
              required
              maxLength={200}
              autocomplete="off"
              spellcheck={false}
              value={when.pattern}
              onInput={({ currentTarget }) => change({ pattern: currentTarget.value })}
            />
          </Field>
        )}
        <Field label="By the clocks of">
          <ZoneInput zone={zone} onZone={onZone} />
        </Field>
      </div>
      <Preview cron={toCron(when)} zone={zone} />
    </>
  );
}

/** Gets its id from the field around it. */
function ZoneInput({
  zone,
  onZone,
  ...control
}: {
  readonly zone: string;
  readonly onZone: (zone: string) => void;
}) {
  return (
    <>
      <input
        {...control}
        list="time-zones"
        required
        maxLength={64}
        autocomplete="off"
        spellcheck={false}
        value={zone}
        onInput={({ currentTarget }) => onZone(currentTarget.value)}
      />
      <datalist id="time-zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** Preview of a pattern: its description and next times, or its error. */
function Preview({ cron, zone }: { readonly cron: string; readonly zone: string }) {
  const [settled, setSettled] = useState({ cron, zone });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ cron, zone }), settleMs);
    return () => clearTimeout(timer);
  }, [cron, zone]);
  const query = { cron: settled.cron, time_zone: settled.zone, count: 5 };
  const { data, failure } = useLoad(JSON.stringify(query), (signal) =>
    read(api.GET('/v1/schedule-times', { params: { query }, signal })),
  );
  if (failure !== undefined) return <Notice kind="warning">{failure.message}</Notice>;
  if (data === undefined) return null;
  return (
    <Notice title={`${data.description}, ${data.time_zone}`}>
      <p>Next:</p>
      <NextTimes times={data.next_local} />
    </Notice>
  );
}

/** Times by the clocks that they are written by. */
export function NextTimes({ times }: { readonly times: readonly string[] }) {
  return (
    <ol class="next-times">
      {times.map((time) => (
        <li key={time}>
          <time dateTime={time}>{formatLocal(time)}</time>
        </li>
      ))}
    </ol>
  );
}
