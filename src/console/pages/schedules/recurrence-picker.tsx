import { useEffect, useState } from 'preact/hooks';
import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { formatLocal } from '../../components/dates/days.ts';
import { Field } from '../../components/forms/field.tsx';
import { Banner } from '../../components/banner.tsx';
import { frequencies, toCron, weekdays, type Frequency, type Recurrence } from './recurrence.ts';

const settleMs = 300;

/** Form for a recurrence, from common ones or as a cron expression, with a preview of the next times. */
export function RecurrencePicker({
  recurrence,
  zone,
  next = 'Next scans:',
  onChange,
  onZone,
}: {
  readonly recurrence: Recurrence;
  /** IANA name. */
  readonly zone: string;
  /** Label of the next times. */
  readonly next?: string;
  readonly onChange: (recurrence: Recurrence) => void;
  readonly onZone: (zone: string) => void;
}) {
  const change = (part: Partial<Recurrence>) => onChange({ ...recurrence, ...part });
  const { every } = recurrence;
  return (
    <>
      <div class="recurrence">
        <Field label="Frequency">
          <select
            value={every}
            onChange={({ currentTarget }) => {
              const next = currentTarget.value as Frequency;
              // The cron expression starts from the current choice.
              change(next === 'pattern' ? { every: next, pattern: toCron(recurrence) } : { every: next });
            }}
          >
            {frequencies.map(([value, name]) => (
              <option key={value} value={value} selected={value === every}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <TimeFields recurrence={recurrence} onChange={change} />
        <Field label="Time zone">
          <ZoneInput zone={zone} onZone={onZone} />
        </Field>
      </div>
      <Preview cron={toCron(recurrence)} zone={zone} next={next} />
    </>
  );
}

/** Fields of a recurrence beside its frequency. */
function TimeFields({ recurrence, onChange }: RecurrencePart) {
  const { every } = recurrence;
  return (
    <>
      {every === 'week' && (
        <Field label="On">
          <select
            value={String(recurrence.weekday)}
            onChange={({ currentTarget }) => onChange({ weekday: Number(currentTarget.value) })}
          >
            {weekdays.map((name, day) => (
              <option key={name} value={String(day)} selected={day === recurrence.weekday}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      {every === 'month' && (
        <Field label="On day" hint="Skipped in months without this day.">
          <input
            type="number"
            min={1}
            max={31}
            required
            value={recurrence.dayOfMonth}
            onInput={({ currentTarget }) => onChange({ dayOfMonth: Number(currentTarget.value) })}
          />
        </Field>
      )}
      {every !== 'pattern' && <TimeOfDay recurrence={recurrence} onChange={onChange} />}
      {every === 'pattern' && (
        <Field
          label="Cron expression"
          hint="Minute, hour, day of month, month and day of week, as in crontab."
        >
          <input
            class="code"
            required
            maxLength={200}
            autocomplete="off"
            spellcheck={false}
            value={recurrence.pattern}
            onInput={({ currentTarget }) => onChange({ pattern: currentTarget.value })}
          />
        </Field>
      )}
    </>
  );
}

/** Minute of an hour, or time of a day. */
function TimeOfDay({ recurrence: { every, time }, onChange }: RecurrencePart) {
  return (
    <Field label={every === 'hour' ? 'At minute' : 'At'}>
      {every === 'hour' ? (
        <input
          type="number"
          min={0}
          max={59}
          required
          value={Number(time.slice(3))}
          onInput={({ currentTarget }) => onChange({ time: `00:${currentTarget.value.padStart(2, '0')}` })}
        />
      ) : (
        <input
          type="time"
          required
          value={time}
          onInput={({ currentTarget }) => onChange({ time: currentTarget.value })}
        />
      )}
    </Field>
  );
}

interface RecurrencePart {
  readonly recurrence: Recurrence;
  readonly onChange: (part: Partial<Recurrence>) => void;
}

/** Input of the time zone. Its `Field` passes the id. */
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

/** Preview of a cron expression: its description and next times, or its error. */
function Preview({
  cron,
  zone,
  next,
}: {
  readonly cron: string;
  readonly zone: string;
  readonly next: string;
}) {
  const [settled, setSettled] = useState({ cron, zone });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ cron, zone }), settleMs);
    return () => clearTimeout(timer);
  }, [cron, zone]);
  const query = { cron: settled.cron, time_zone: settled.zone, count: 5 };
  const { data, error } = useLoad(JSON.stringify(query), (signal) =>
    read(api.GET('/v1/schedule-times', { params: { query }, signal })),
  );
  if (error !== undefined) return <Banner kind="warning">{error.message}</Banner>;
  if (data === undefined) return null;
  return (
    <Banner title={`${data.description}, ${data.time_zone}`}>
      <p>{next}</p>
      <NextTimes times={data.next_local} />
    </Banner>
  );
}

/** List of local times. */
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
