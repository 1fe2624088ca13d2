import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { emailStatusNames } from '../results/filter.ts';

type Verdict = Body<'EmailVerdict'>;

const tones = { valid: 'good', invalid: 'bad', catch_all: 'warm', unknown: 'plain' } as const;

/** Columns of the verdict table. */
export function emailColumns(query: Query): readonly Column<Verdict>[] {
  return [
    {
      head: 'Address',
      value: ({ email }) => email,
      isHeading: true,
      cell: (verdict) => <Address verdict={verdict} />,
    },
    {
      head: 'Verdict',
      value: ({ email_status: status }) => emailStatusNames[status],
      cell: (verdict) => <Status verdict={verdict} />,
    },
    {
      head: 'Reasons',
      value: ({ reasons }) => reasons.map(({ words }) => words).join(' '),
      cell: (verdict) => <Reasons verdict={verdict} query={query} />,
    },
    { head: 'Checks', value: ({ level_words: words }) => words, cell: ({ level_words: words }) => words },
    {
      head: 'Checked',
      value: ({ checked_at: at }) => at,
      kind: 'day',
      cell: (verdict) => <Checked verdict={verdict} />,
    },
    {
      head: 'Batch',
      value: ({ file_name: name }) => name,
      cell: ({ batch, file_name: name }) => <BatchLink batch={batch} name={name} />,
    },
  ];
}

function Address({ verdict: { email, did_you_mean: meant } }: { readonly verdict: Verdict }) {
  return (
    <>
      <span class="address">{email}</span>
      {meant !== null && <div class="small">Did you mean {meant}?</div>}
    </>
  );
}

function Status({ verdict }: { readonly verdict: Verdict }) {
  return (
    <>
      <Badge tone={tones[verdict.email_status]}>{emailStatusNames[verdict.email_status]}</Badge>
      <div>
        <strong>{verdict.recommendation_words}</strong>
      </div>
      <div class="quiet">{verdict.status_words}</div>
    </>
  );
}

/** Reasons of a verdict, each with a link to all addresses that share it. */
function Reasons({ verdict: { reasons }, query }: { readonly verdict: Verdict; readonly query: Query }) {
  return (
    <ul class="reasons">
      {reasons.map(({ code, words }) => (
        <li key={code}>
          {words}{' '}
          {query.get('reason') !== code && (
            <a class="small" href={query.hrefWith({ reason: code })}>
              Show all<span class="hidden">: {words}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function Checked({ verdict: { checked_at: at, retry_at: retry } }: { readonly verdict: Verdict }) {
  return (
    <>
      <Moment at={at} />
      {retry !== null && (
        <div class="quiet small">
          check again after <Moment at={retry} />
        </div>
      )}
    </>
  );
}

function BatchLink({ batch, name }: { readonly batch: string | null; readonly name: string | null }) {
  if (batch === null) return <>Single check</>;
  return <a href={`/batches/${encodeURIComponent(batch)}/results`}>{name}</a>;
}
