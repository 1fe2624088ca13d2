import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { landingColumns } from '../destinations/landing-columns.tsx';

type Landing = Body<'Landing'>;

/** Landings of a batch in all destinations. Empty without any. */
export function BatchLandings({ batch: { id, state } }: { readonly batch: Body<'Batch'> }) {
  // A batch lands when it finishes, and again after a retry.
  const loaded = useLoad(`${id} ${state}`, (signal) =>
    read(api.GET('/v1/batches/{id}/landings', { params: { path: { id } }, signal })),
  );
  const landings = loaded.data?.landings ?? [];
  if (landings.length === 0) return <ErrorBanner error={loaded.error} onRetry={loaded.reload} />;
  return (
    <Section
      title="Landings"
      lead="Destinations that the results are written to."
      actions={
        <button type="button" onClick={loaded.reload}>
          Refresh
        </button>
      }
    >
      <ErrorBanner error={loaded.error} onRetry={loaded.reload} />
      <Table
        caption="Landings of the batch"
        columns={columns}
        rows={landings}
        keyOf={({ destination_id: destination, content_key: key }) => `${destination} ${key}`}
      />
    </Section>
  );
}

const columns: readonly Column<Landing>[] = [
  {
    head: 'Destination',
    isHeading: true,
    cell: ({ destination, destination_id: id }) =>
      can('admin') ? <a href={`/destinations/${id}`}>{destination}</a> : destination,
  },
  ...landingColumns,
];
