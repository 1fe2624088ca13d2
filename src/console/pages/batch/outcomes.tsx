import type { Body } from '../../api/client.ts';
import { Bars, type Bar } from '../../components/charts/bars.tsx';
import { Section } from '../../components/page.tsx';

type Batch = Body<'Batch'>;

/** Outcomes of the companies and addresses so far. */
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

function companyBars({ lookups, operations }: Batch): readonly Bar[] {
  const { found, none, no_match: unknown } = lookups;
  return [
    { name: 'With ads', count: found, tone: 'good' },
    { name: 'Without ads', count: none, tone: 'cool', note: 'free' },
    { name: 'Not identified', count: unknown, tone: 'plain', note: 'free' },
    ...(operations.includes('email_validation') ? [] : remainingBars(lookups)),
  ];
}

function addressBars({ emails, lookups }: Batch): readonly Bar[] {
  return [
    { name: 'Valid', count: emails.valid, tone: 'good' },
    { name: 'Catch-all', count: emails.catch_all, tone: 'warm' },
    { name: 'Invalid', count: emails.invalid, tone: 'bad' },
    { name: 'Unknown', count: emails.unknown, tone: 'plain', note: 'free' },
    ...remainingBars(lookups),
  ];
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
