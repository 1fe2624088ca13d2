import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Banner } from '../../components/banner.tsx';
import { formatCounted } from '../../components/values.tsx';

/** Banner that leads to the uncertain advertisers of a batch's companies; empty without any. */
export function UncertainAdvertisers({ batch: { id, lookups } }: { readonly batch: Body<'Batch'> }) {
  const loaded = useLoad(`${id} ${lookups.open}`, (signal) =>
    read(api.GET('/v1/companies/candidates', { params: { query: { batch: id, limit: 1 } }, signal })),
  );
  const { advertisers = 0, companies = 0 } = loaded.data ?? {};
  if (advertisers === 0) return null;
  return (
    <Banner kind="warning" title={`${formatCounted(advertisers, 'uncertain advertiser')}`}>
      <p>
        {`They may belong to ${formatCounted(companies, 'company', 'companies')} of this batch, and their ads are not in its results. `}
        <a href={`/review?${new URLSearchParams({ batch: id }).toString()}`}>Review them</a>
      </p>
    </Banner>
  );
}
