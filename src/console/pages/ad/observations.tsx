import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { Source } from '../../components/ads/source.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { versionName } from './versions.tsx';

type Observation = Body<'ObservationList'>['observations'][number];
type Ad = Body<'AdPage'>;

/** Lookups that found the ad. */
export function Observations({ ad }: { readonly ad: Ad }) {
  const pages = usePages<Observation>(`observations ${ad.id}`, async (after, signal) => {
    const query = { limit: 50, ...(after === undefined ? {} : { after }) };
    const { observations, next } = await read(
      api.GET('/v1/ads/{id}/observations', { params: { path: { id: ad.id }, query }, signal }),
    );
    return { items: observations, next };
  });
  const columns: readonly Column<Observation>[] = [
    { head: 'Time', kind: 'day', cell: ({ observed_at: at }) => <Moment at={at} /> },
    {
      head: 'Company',
      isHeading: true,
      cell: ({ company_name: name, company_domain: domain }) => name ?? domain,
    },
    { head: 'Batch', cell: (observation) => <BatchLink observation={observation} /> },
    { head: 'Version', cell: ({ version }) => versionName({ id: version }, ad.versions) },
    { head: 'Position', kind: 'number', cell: ({ position }) => position },
    { head: 'Run by', cell: ({ relation }) => relationLabels[relation] },
    { head: 'Last seen', kind: 'day', cell: ({ last_seen: day }) => day ?? '–' },
    { head: 'Source', cell: ({ source }) => <Source source={source} at={null} /> },
  ];
  return (
    <Section title="Lookups" lead="Your lookups that found this ad, newest first.">
      <PagedTable
        pages={pages}
        caption="Lookups that found the ad"
        empty={<p>No lookup has found this ad.</p>}
        columns={columns}
        keyOf={({ observed_at: at, batch, company_domain: domain, company_name: name, position }) =>
          `${at} ${batch} ${domain} ${name} ${position}`
        }
      />
    </Section>
  );
}

const relationLabels = {
  own: 'The company',
  third_party: 'Third party',
  unknown: 'Unknown',
} as const;

function BatchLink({ observation }: { readonly observation: Observation }) {
  const { batch, file_name: fileName, schedule, schedule_name: name } = observation;
  if (batch === null) return <>Single search</>;
  return (
    <>
      <a href={`/batches/${encodeURIComponent(batch)}/results?tab=ads`}>{fileName}</a>
      {schedule !== null && (
        <div class="small">
          scan of <a href={`/schedules/${encodeURIComponent(schedule)}`}>{name}</a>
        </div>
      )}
    </>
  );
}
