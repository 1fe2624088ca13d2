import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import type { Query } from '../../api/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Source } from '../../components/source.tsx';
import type { Column } from '../../components/table.tsx';
import { formatCount } from '../../components/format.ts';
import { formatCounted } from '../../components/values.tsx';
import {
  emailStatusNames,
  filterText,
  outcomeNames,
  recommendationNames,
  type ResultFilter,
} from './filter.ts';

type Row = Body<'Row'>;

/** Table of a batch's rows with their results. */
export function CompaniesTable({
  batch: { id, operations },
  filter,
  query,
}: {
  readonly batch: Body<'Batch'>;
  readonly filter: ResultFilter;
  readonly query: Query;
}) {
  const pages = usePages<Row & { readonly columns: readonly string[] }>(
    filterText(filter),
    async (after, signal) => {
      const params = { ...filter, limit: 100, ...(after === undefined ? {} : { after }) };
      const { columns, rows, next } = await read(
        api.GET('/v1/batches/{id}/rows', { params: { path: { id }, query: params }, signal }),
      );
      return { items: rows.map((row) => ({ ...row, columns })), next };
    },
  );
  const columns: readonly Column<Row & { readonly columns: readonly string[] }>[] = [
    { head: 'Row', kind: 'number', cell: ({ row }) => row },
    { head: 'Company', isHeading: true, cell: (row) => <Company row={row} /> },
    ...(operations.includes('ads_search')
      ? [
          { head: 'Outcome', cell: (row: Row) => <Outcome row={row} /> },
          {
            head: 'Source',
            cell: ({ source, observed_at: at }: Row) => <Source source={source} at={at} />,
          },
          { head: 'Ads', kind: 'number' as const, cell: (row: Row) => <AdsCell row={row} query={query} /> },
        ]
      : []),
    ...(operations.includes('email_validation')
      ? [{ head: 'E-mail', cell: (row: Row) => <Email email={row.email} /> }]
      : []),
    { head: 'Original row', cell: ({ columns: names, cells }) => <OwnCells names={names} cells={cells} /> },
  ];
  return (
    <PagedTable
      pages={pages}
      caption="Rows of the batch"
      empty={<p>No rows match these filters. Clear the filters to see all rows.</p>}
      columns={columns}
      keyOf={({ row }) => row}
    />
  );
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

/** Cells of the original row, folded. */
function OwnCells({
  names,
  cells,
}: {
  readonly names: readonly string[];
  readonly cells: readonly string[];
}) {
  const filled = cells.flatMap((cell, i) => (cell === '' ? [] : [{ name: names[i] ?? '', cell }]));
  if (filled.length === 0) return <span class="quiet">empty</span>;
  return (
    <details>
      <summary>{formatCounted(filled.length, 'cell')}</summary>
      <dl class="cells">
        {filled.map(({ name, cell }, i) => (
          <div key={i}>
            <dt>{name}</dt>
            <dd>{cell}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
