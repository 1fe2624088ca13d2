import type { Body } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { emailStatusNames, recommendationNames } from '../../components/result-labels.ts';
import { reasonLabel } from './reason-label.ts';

type Verdict = Body<'EmailVerdict'>;

const tones = { valid: 'good', invalid: 'bad', catch_all: 'warm', unknown: 'plain' } as const;

/** Columns of the verdict table. `onOpen` shows the details of a verdict. */
export function emailColumns(onOpen: (verdict: Verdict) => void): readonly Column<Verdict>[] {
  return [
    {
      head: 'Address',
      value: ({ email }) => email,
      isHeading: true,
      cell: (verdict) => (
        <button type="button" class="open-row" onClick={() => onOpen(verdict)}>
          {verdict.email}
        </button>
      ),
    },
    {
      head: 'Verdict',
      value: ({ email_status: status }) => emailStatusNames[status],
      cell: ({ email_status: status }) => <StatusBadge status={status} />,
    },
    {
      head: 'Reason',
      value: ({ reasons }) => reasons.map(({ code }) => reasonLabel(code)).join(', '),
      cell: (verdict) => <Reason verdict={verdict} />,
    },
    {
      head: 'Recommendation',
      value: ({ recommendation }) => recommendationNames[recommendation],
      cell: ({ recommendation }) => recommendationNames[recommendation],
    },
    {
      head: 'Checked',
      value: ({ checked_at: at }) => at,
      kind: 'day',
      cell: ({ checked_at: at }) => <Moment at={at} />,
    },
    {
      head: 'Batch',
      value: ({ batch_name: name }) => name,
      cell: ({ batch, batch_name: name }) => <BatchLink batch={batch} name={name} />,
    },
  ];
}

/** Verdict as a chip. */
export function StatusBadge({ status }: { readonly status: Verdict['email_status'] }) {
  return <Badge tone={tones[status]}>{emailStatusNames[status]}</Badge>;
}

/** Decisive reason as a chip, with the number of further reasons; the tooltip has them as text. */
function Reason({ verdict: { reasons } }: { readonly verdict: Verdict }) {
  const [decisive, ...further] = reasons;
  if (decisive === undefined) return null;
  return (
    <span title={reasons.map(({ words }) => words).join('\n')}>
      <Badge tone="plain">{reasonLabel(decisive.code)}</Badge>
      {further.length > 0 && <span class="quiet small"> +{further.length}</span>}
    </span>
  );
}

/** Link to the results of the batch of a verdict. */
export function BatchLink({ batch, name }: { readonly batch: string | null; readonly name: string | null }) {
  if (batch === null) return <>Single check</>;
  return <a href={`/batches/${encodeURIComponent(batch)}/results`}>{name ?? batch}</a>;
}
