import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import type { Query } from '../../api/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { Source } from '../../components/ads/source.tsx';
import { parseSort } from '../../components/tables/sort-rows.ts';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCounted, formatCredits } from '../../components/values.tsx';
import { SelectedResults } from './selected-results.tsx';
import { emailStatusNames, outcomeNames, recommendationNames } from '../../components/result-labels.ts';
import { filterText, type ResultFilter } from './filter.ts';

type Row = Body<'Row'>;

/** Row with the names of its columns. */
type NamedRow = Row & { readonly columns: readonly string[] };

/** Table of a batch's rows with their results, and the columns of its file. */
export function CompaniesTable({
  batch,
  filter,
  query,
  facets,
}: {
  readonly batch: Body<'Batch'>;
  readonly filter: ResultFilter;
  readonly query: Query;
  readonly facets: Body<'Facets'> | undefined;
}) {
  const { id, operations } = batch;
  const sort = rowSort(query.get('sort'));
  const pages = usePages<NamedRow>(`${filterText(filter)} ${sort ?? ''}`, async (after, signal, isLarge) => {
    const params = {
      ...filter,
      ...(sort === undefined ? {} : { sort }),
      limit: isLarge ? 1000 : 100,
      ...(after === undefined ? {} : { after }),
    };
    const { columns, rows, next } = await read(
      api.GET('/v1/batches/{id}/rows', { params: { path: { id }, query: params }, signal }),
    );
    return { items: rows.map((row) => ({ ...row, columns })), next };
  });
  const own = pages.items[0]?.columns ?? [];
  return (
    <PagedTable
      pages={pages}
      caption="Rows of the batch"
      view="rows"
      isSortedByServer
      count={{ noun: ['row', 'rows'], total: facets?.rows, matching: matchingRows(filter, facets) }}
      empty={<p>No rows match these filters. Clear the filters to see all rows.</p>}
      columns={[...resultColumns(operations, query), ...ownColumns(own)]}
      keyOf={({ row }) => row}
      actions={(rows) => <SelectedResults batch={batch} rows={rows} />}
    />
  );
}

/** Converts the order of the URL, which names a column of the table, to the order of the API. */
function rowSort(text: string): string | undefined {
  const sort = parseSort(text);
  if (sort === null) return undefined;
  const [, own] = /^file (\d+) /.exec(sort.column) ?? [];
  const name = own === undefined ? sortNames[sort.column] : `cells.${own}`;
  return name && (sort.isDescending ? `-${name}` : name);
}

/** Orders of the API by the columns of the table. */
const sortNames: Readonly<Record<string, string>> = {
  Row: 'row',
  Company: 'company',
  Outcome: 'outcome',
  Ads: 'ads',
  Source: 'source',
  Credits: 'credits',
  'E-mail': 'email',
};

/** Number of rows that a filter matches, as far as the facets say it. */
function matchingRows(filter: ResultFilter, facets: Body<'Facets'> | undefined): number | undefined {
  const names = Object.keys(filter);
  if (names.length === 0) return facets?.rows;
  if (names.length > 1 || filter.outcome === undefined) return undefined;
  return facets?.outcomes.find(({ value }) => value === filter.outcome)?.count;
}

function resultColumns(operations: Body<'Batch'>['operations'], query: Query): readonly Column<NamedRow>[] {
  return [
    { head: 'Row', kind: 'number', cell: ({ row }) => row, value: ({ row }) => row },
    {
      head: 'Company',
      isHeading: true,
      cell: (row) => <Company row={row} />,
      value: ({ company_name: name, company_domain: domain }) => name ?? domain,
    },
    ...(operations.includes('ads_search') ? adColumns(query) : []),
    ...(operations.includes('email_validation') ? emailColumns : []),
  ];
}

function adColumns(query: Query): readonly Column<NamedRow>[] {
  return [
    {
      head: 'Outcome',
      cell: (row) => <Outcome row={row} />,
      value: ({ outcome }) => outcome && outcomeNames[outcome],
    },
    {
      head: 'Ads',
      kind: 'number',
      cell: (row) => <AdsCell row={row} query={query} />,
      value: ({ ads_count: ads }) => ads,
    },
    {
      head: 'Source',
      cell: ({ source, observed_at: at }) => <Source source={source} at={at} />,
      value: ({ source }) => source,
    },
    {
      head: 'Credits',
      kind: 'number',
      isHidden: true,
      cell: ({ credits_consumed: credits }) => formatCredits(credits),
      value: ({ credits_consumed: credits }) => credits,
    },
  ];
}

const emailColumns: readonly Column<NamedRow>[] = [
  {
    head: 'E-mail',
    cell: ({ email }) => <Email email={email} />,
    value: ({ email }) => email?.normalized_email ?? email?.email_status ?? null,
  },
];

/** Number of columns of the file that are shown at first. */
const shownOwnColumns = 12;

/** Columns of the file, as columns of the table. */
function ownColumns(names: readonly string[]): readonly Column<NamedRow>[] {
  return names.map((name, i) => ({
    id: `file ${i + 1} ${name}`,
    head: name,
    isHidden: i >= shownOwnColumns,
    cell: ({ cells }) => cells[i] ?? '',
    value: ({ cells }) => cells[i] ?? null,
  }));
}

/** Company of a row, as looked up; for a row without one, its first filled cell. */
function Company({ row: { company_domain: domain, company_name: name, cells } }: { readonly row: Row }) {
  const [first, second] = [name, domain].filter((each) => each !== null);
  if (first === undefined)
    return <span class="quiet">{cells.find((cell) => cell !== '') ?? 'empty row'}</span>;
  return (
    <>
      {first}
      {second !== undefined && <div class="quiet small">{second}</div>}
    </>
  );
}

const tones = {
  found: 'good',
  none: 'plain',
  no_match: 'warm',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'plain',
  open: 'cool',
} as const;

function Outcome({
  row: {
    outcome,
    reason,
    warning,
    partial,
    partial_reason: why,
    uncertain_advertisers: uncertain,
    from_cache: isReused,
  },
}: {
  readonly row: Row;
}) {
  if (outcome === null) return <span class="quiet">–</span>;
  return (
    <>
      <Badge tone={tones[outcome]}>{outcomeNames[outcome]}</Badge>
      {reason !== null && <div class="small">{reason}</div>}
      {warning !== null && <div class="quiet small">{warning}</div>}
      {partial === true && why !== 'uncertain_advertisers' && (
        <div class="quiet small">The result is incomplete.</div>
      )}
      {uncertain !== null && (
        <div class="quiet small">
          {uncertain === 1 ? '1 advertiser' : `${formatCount(uncertain)} advertisers`} may belong to the
          company.
        </div>
      )}
      {isReused === true && <div class="quiet small">Earlier result, free.</div>}
    </>
  );
}

/** Note on a number of ads that is only a part. */
function moreAdsText(ads: number, low: number | null, high: number | null): string {
  if (low === null || high === null || high <= ads) return 'More ads exist.';
  return low === high ? `Of about ${formatCount(low)}.` : `Of ${formatCount(low)} to ${formatCount(high)}.`;
}

function AdsCell({
  row: {
    ads_count: ads,
    company_domain: domain,
    company_name: name,
    truncated,
    estimate_low: low,
    estimate_high: high,
  },
  query,
}: {
  readonly row: Row;
  readonly query: Query;
}) {
  if (ads === null) return <span class="quiet">–</span>;
  if (ads === 0) return <span class="quiet">0</span>;
  const company = domain === null ? { company_name: name ?? '' } : { company_domain: domain };
  return (
    <a href={query.hrefWith({ tab: 'ads', q: '', outcome: '', ...company })}>
      {formatCounted(ads, 'ad')}
      <span class="hidden"> of {name ?? domain}</span>
      {truncated === true && <div class="quiet small">{moreAdsText(ads, low, high)}</div>}
    </a>
  );
}

const emailTones = { valid: 'good', invalid: 'bad', catch_all: 'warm', unknown: 'plain' } as const;

function Email({ email }: { readonly email: Row['email'] }) {
  if (email === null) return <span class="quiet">–</span>;
  const {
    email_status: status,
    recommendation,
    normalized_email: address,
    did_you_mean: meant,
    outcome,
  } = email;
  return (
    <>
      {status === null ? (
        <span class="quiet">{outcome === 'open' ? 'Open' : (email.reason ?? outcome)}</span>
      ) : (
        <Badge tone={emailTones[status]}>{emailStatusNames[status]}</Badge>
      )}
      {address !== null && <div class="small">{address}</div>}
      {recommendation !== null && <div class="quiet small">{recommendationNames[recommendation]}</div>}
      {meant !== null && <div class="small">Did you mean {meant}?</div>}
    </>
  );
}
