import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { formatCapped } from '../../components/format.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { destinationState, formText } from './destination-labels.ts';

type Destination = Body<'Destination'>;

/** Page of all destinations. */
export function Destinations() {
  const loaded = useLoad('destinations', (signal) => read(api.GET('/v1/destinations', { signal })));
  const newDestination = (
    <a class="button primary" href="/destinations/new">
      New destination
    </a>
  );
  return (
    <Page
      title="Destinations"
      lead="Places that the results of finished batches are written to."
      actions={newDestination}
    >
      <WhenLoaded loaded={loaded}>
        {({ destinations }) =>
          destinations.length === 0 ? (
            <div class="empty">
              <p>
                No destinations yet. Add a folder, a bucket, an SFTP server or a table, and results land there
                when a batch finishes.
              </p>
              {newDestination}
            </div>
          ) : (
            <Table
              caption="Destinations of the account"
              columns={columns}
              rows={destinations}
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

const columns: readonly Column<Destination>[] = [
  {
    head: 'Destination',
    isHeading: true,
    cell: ({ id, name }) => <a href={`/destinations/${id}`}>{name}</a>,
  },
  { head: 'Location', cell: ({ location }) => <code>{location}</code> },
  { head: 'What lands', cell: formText },
  {
    head: 'State',
    cell: (destination) => {
      const [tone, name] = destinationState(destination);
      return (
        <>
          <Badge tone={tone}>{name}</Badge>
          {destination.reason !== null && <div class="small">{destination.reason}</div>}
        </>
      );
    },
  },
  { head: 'Pending', kind: 'number', cell: ({ pending }) => formatCapped(pending) },
  { head: 'Dead', kind: 'number', cell: ({ dead }) => formatCapped(dead) },
  { head: 'Last landing', kind: 'day', cell: ({ last_landed_at: at }) => <Moment at={at} /> },
];
