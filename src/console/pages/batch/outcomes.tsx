import type { Body } from '../../api/client.ts';
import { Bars, type Bar } from '../../components/charts/bars.tsx';
import { Section } from '../../components/page.tsx';
import { emailStatusNames } from '../../components/result-labels.ts';

type Batch = Body<'Batch'>;

/** Outcomes of the companies and addresses so far, with links to their rows. */
export function Outcomes({ batch }: { readonly batch: Batch }) {
  const hasAds = batch.operations.includes('ads_search');
  const hasEmails = batch.operations.includes('email_validation');
  return (
    <Section title="Results">
      <div class={hasAds && hasEmails ? 'columns' : undefined}>
        {hasAds && (
          <div class="card">
            <h3>Companies</h3>
            <Bars caption="Companies by outcome" head="Outcome" bars={companyBars(batch)} />
          </div>
        )}
        {hasEmails && (
          <div class="card">
            <h3>Addresses</h3>
            <Bars caption="Addresses by verdict" head="Verdict" bars={addressBars(batch)} />
          </div>
        )}
      </div>
      {hasAds && hasEmails && (
        <p class="quiet">Failed, cancelled and open count companies and addresses together.</p>
      )}
    </Section>
  );
}

function companyBars(batch: Batch): readonly Bar[] {
  const { lookups, operations } = batch;
  const { found, none, no_match: unknown } = lookups;
  return [
    { name: 'With ads', count: found, tone: 'good', ...rowsOf(batch, 'outcome=found', found) },
    { name: 'Without ads', count: none, tone: 'cool', note: 'free', ...rowsOf(batch, 'outcome=none', none) },
    { name: 'Not identified', count: unknown, tone: 'plain', note: 'free' },
    ...(operations.includes('email_validation') ? [] : remainingBars(lookups)),
  ];
}

function addressBars(batch: Batch): readonly Bar[] {
  const { emails, lookups } = batch;
  const barOf = (status: 'valid' | 'catch_all' | 'invalid' | 'unknown') => ({
    name: emailStatusNames[status],
    count: emails[status],
    ...rowsOf(batch, `email_status=${status}`, emails[status]),
  });
  return [
    { ...barOf('valid'), tone: 'good' },
    { ...barOf('catch_all'), tone: 'warm' },
    { ...barOf('invalid'), tone: 'bad' },
    { ...barOf('unknown'), tone: 'plain', note: 'free' },
    ...remainingBars(lookups),
  ];
}

/** Link to the rows of a batch that a filter matches; none without rows. */
function rowsOf({ id, purged_at: purged }: Batch, filter: string, count: number): Pick<Bar, 'href'> {
  return count === 0 || purged !== null ? {} : { href: `/batches/${id}/results?${filter}` };
}

function remainingBars({ failed, cancelled, open }: Batch['lookups']): readonly Bar[] {
  return [
    { name: 'Failed', count: failed, tone: 'bad', note: 'free' },
    ...(cancelled === 0
      ? []
      : [{ name: 'Cancelled', count: cancelled, tone: 'plain', note: 'free' } as const]),
    { name: 'Open', count: open, tone: 'plain' },
  ];
}
