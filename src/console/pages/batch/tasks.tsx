import type { Body } from '../../api/client.ts';
import { UncertainAdvertisers } from './uncertain-advertisers.tsx';
import { UnidentifiedCompanies } from './unidentified-companies.tsx';

/** Companies and advertisers of a finished ads search that wait for a decision. */
export function BatchTasks({ batch }: { readonly batch: Body<'Batch'> }) {
  if (!batch.operations.includes('ads_search') || batch.state !== 'finished') return null;
  return (
    <>
      <UnidentifiedCompanies batch={batch} />
      <UncertainAdvertisers batch={batch} />
    </>
  );
}
