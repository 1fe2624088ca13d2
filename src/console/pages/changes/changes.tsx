import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formatDay } from '../../components/dates/days.ts';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { DownloadLink } from '../../components/download-link.tsx';
import { ShareReport } from '../reports/share-report.tsx';
import { ChangeFeed } from './change-feed.tsx';
import { ChangeList } from './change-list.tsx';
import { kindLabels, type Kind } from './change-labels.ts';
import { ChangedDays } from './changed-days.tsx';
import { readFilter, toQuery, type Filter } from './filter.ts';
import { reportFragment } from './report-fragment.ts';

/** Views of changes, by their parameter in the URL. */
const views = { '': 'Feed', days: 'By day', list: 'List' } as const;
type View = keyof typeof views;

/** Filters that the counts by day do not have. */
const noFilters = { day: '', scan: '', kind: '', ad_format: '', since: '' };

const formats = ['Text', 'Image', 'Video'].map((value) => ({ value, name: value }));

const periods = [
  { value: '1d', name: 'Last 24 hours' },
  { value: '7d', name: 'Last 7 days' },
  { value: '30d', name: 'Last 30 days' },
];

/** Page of changes between scans: a feed by company, counts by day, or a list. */
export function Changes() {
  const query = useQuery();
  const filter = readFilter(query);
  const written = query.get('view');
  const view: View = written === 'days' || written === 'list' ? written : '';
  const loaded = useLoad(
    'schedules',
    (signal) => read(api.GET('/v1/schedules', { params: { query: { limit: 100 } }, signal })),
    ['schedules'],
  );
  return (
    <Page
      title="Changes"
      lead="Ads that started, returned, changed or ended between two scans of a schedule."
    >
      <ErrorBanner error={loaded.error} onRetry={loaded.reload} />
      <Filters query={query} filter={filter} schedules={loaded.data?.schedules ?? []} view={view} />
      <div class="actions">
        {(Object.keys(views) as readonly View[]).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === view}
            onClick={() => query.set({ ...(each === 'days' ? noFilters : {}), view: each })}
          >
            {views[each]}
          </button>
        ))}
        <DownloadLink href={`/v1/changes/export?${new URLSearchParams(toQuery(filter)).toString()}`}>
          Download CSV
        </DownloadLink>
        <ShareChanges schedules={loaded.data?.schedules ?? []} filter={filter} />
        {filter.day !== '' && <span>on {formatDay(filter.day)}</span>}
        {filter.scan !== '' && <span>in one scan</span>}
      </div>
      <SampleBanner sources={sourcesOf(loaded.data?.schedules ?? [], filter)} />
      {view === '' && <ChangeFeed filter={filter} />}
      {view === 'days' && <ChangedDays filter={filter} />}
      {view === 'list' && <ChangeList filter={filter} />}
    </Page>
  );
}

/** Shares the report of the chosen schedule, or of the only one, with these filters. */
function ShareChanges({
  schedules,
  filter,
}: {
  readonly schedules: readonly Body<'Schedule'>[];
  readonly filter: Filter;
}) {
  const [first] = schedules;
  const id = filter.schedule === '' && schedules.length === 1 ? first?.id : filter.schedule;
  if (id === undefined || id === '') return null;
  return <ShareReport key={id} kind="schedule" id={id} fragment={reportFragment(filter)} />;
}

/** Lists the sources of the selected schedules. */
function sourcesOf(schedules: readonly Body<'Schedule'>[], { schedule }: Filter): readonly string[] {
  return schedules.filter(({ id }) => schedule === '' || id === schedule).flatMap(({ sources }) => sources);
}

function Filters({
  query,
  filter,
  schedules,
  view,
}: {
  readonly query: Query;
  readonly filter: Filter;
  readonly schedules: readonly Body<'Schedule'>[];
  readonly view: View;
}) {
  const isListed = filter.schedule === '' || schedules.some(({ id }) => id === filter.schedule);
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        query.set({ company: formText(event.currentTarget, 'company') });
      }}
    >
      <Field label="Schedule">
        <select
          value={filter.schedule}
          onChange={({ currentTarget }) => query.set({ schedule: currentTarget.value, scan: '' })}
        >
          <option value="">All</option>
          {!isListed && <option value={filter.schedule}>{filter.schedule}</option>}
          {schedules.map(({ id, name }) => (
            <option key={id} value={id} selected={id === filter.schedule}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Company">
        <input
          key={filter.company}
          name="company"
          type="search"
          placeholder="Domain or name"
          defaultValue={filter.company}
        />
      </Field>
      {view !== 'days' && (
        <>
          <Days query={query} filter={filter} />
          <ChoiceField
            label="Ad format"
            all="All"
            value={filter.format}
            choices={formats}
            onChoose={(format) => query.set({ ad_format: format })}
          />
          <Kinds query={query} filter={filter} />
        </>
      )}
      <button type="submit">Apply</button>
    </form>
  );
}

/** Filters by time: a day of scans, or a period up to now. */
function Days({ query, filter }: { readonly query: Query; readonly filter: Filter }) {
  return (
    <>
      <Field label="Day">
        <input
          type="date"
          value={filter.day}
          onChange={({ currentTarget }) => query.set({ day: currentTarget.value, scan: '', since: '' })}
        />
      </Field>
      <ChoiceField
        label="Period"
        all="All"
        value={filter.since}
        choices={periods}
        onChoose={(since) => query.set({ since, day: '', scan: '' })}
      />
    </>
  );
}

/** Filter by kind. Without a choice, all kinds but the baseline are shown. */
function Kinds({ query, filter }: { readonly query: Query; readonly filter: Filter }) {
  const toggle = (kind: Kind) => {
    const chosen = filter.kinds.includes(kind)
      ? filter.kinds.filter((each) => each !== kind)
      : [...filter.kinds, kind];
    query.set({ kind: chosen.join(',') });
  };
  return (
    <fieldset>
      <legend>Kinds</legend>
      <div class="actions">
        {(Object.keys(kindLabels) as readonly Kind[]).map((kind) => (
          <label key={kind} class="choice">
            <input type="checkbox" checked={filter.kinds.includes(kind)} onChange={() => toggle(kind)} />
            {kindLabels[kind].name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
