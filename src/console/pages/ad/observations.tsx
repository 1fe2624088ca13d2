import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Source } from '../../components/source.tsx';
import type { Column } from '../../components/table.tsx';
import { Moment } from '../../components/values.tsx';
import { nameOf } from './versions.tsx';

type Observation = Body<'ObservationList'>['observations'][number];
type Ad = Body<'AdPage'>;

/** Every lookup that saw the ad. */
export function Observations({ ad }: { readonly ad: Ad }) {
  const pages = usePages<Observation>(`observations ${ad.id}`, async (after, signal) => {
    const query = { limit: 50, ...(after === undefined ? {} : { after }) };
    const { observations, next } = await read(
      api.GET('/v1/ads/{id}/observations', { params: { path: { id: ad.id }, query }, signal }),
    );
    return { items: observations, next };
  });
  const columns: readonly Column<Observation>[] = [
    { head: 'When', kind: 'day', cell: ({ observed_at: at }) => <Moment at={at} /> },
    {
      head: 'For',
      isHeading: true,
      cell: ({ company_name: name, company_domain: domain }) => name ?? domain,
    },
    { head: 'In', cell: (observation) => <Where observation={observation} /> },
    { head: 'Version', cell: ({ version }) => nameOf({ id: version }, ad.versions) },
    { head: 'Place', kind: 'number', cell: ({ position }) => position },
    { head: 'Whose', cell: ({ relation }) => relationLabels[relation] },
    { head: 'Last seen', kind: 'day', cell: ({ last_seen: day }) => day ?? '–' },
    { head: 'Source', cell: ({ source }) => <Source source={source} at={null} /> },
  ];
  return (
    <Section
      title="Who saw it"
      lead="Every lookup of yours that has this ad in its answer, the newest first."
    >
      <PagedTable
        pages={pages}
        caption="Lookups that saw the ad"
        empty={<p>Nobody has.</p>}
        columns={columns}
        keyOf={({ observed_at: at, batch, company_domain: domain, company_name: name, position }) =>
          `${at} ${batch} ${domain} ${name} ${position}`
        }
      />
    </Section>
  );
}

const relationLabels = {
  own: 'The company’s own',
  third_party: 'Somebody else’s',
  unknown: 'Not known',
} as const;

function Where({ observation }: { readonly observation: Observation }) {
  const { batch, file_name: fileName, schedule, schedule_name: name } = observation;
  if (batch === null) return <>A single search</>;
  return (
    <>
      <a href={`/batches/${encodeURIComponent(batch)}/results?tab=ads`}>{fileName}</a>
      {schedule !== null && (
        <div class="small">
          a scan of <a href={`/schedules/${encodeURIComponent(schedule)}`}>{name}</a>
        </div>
      )}
    </>
  );
}
