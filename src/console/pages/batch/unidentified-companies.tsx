import type { Body } from '../../api/client.ts';
import { Banner } from '../../components/banner.tsx';
import { formatCounted } from '../../components/values.tsx';

/** Banner that leads to the companies of a batch that were not identified; empty without any. */
export function UnidentifiedCompanies({ batch: { id, lookups } }: { readonly batch: Body<'Batch'> }) {
  if (lookups.no_match === 0) return null;
  return (
    <Banner
      kind="warning"
      title={`${formatCounted(lookups.no_match, 'company', 'companies')} not identified`}
    >
      <p>
        No source knows them by their domain or name. <a href={`/batches/${id}/unidentified`}>Map them</a> to
        look them up again.
      </p>
    </Banner>
  );
}
