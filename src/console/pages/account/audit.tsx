import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { Page } from '../../components/page.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { eventLabel } from './labels.ts';

type Entry = Body<'AuditEntry'>;

/** Audit log of keys and users. */
export function Audit() {
  const pages = usePages<Entry>('audit', async (after, signal) => {
    const query = { limit: 50, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await read(api.GET('/v1/account/audit', { params: { query }, signal }));
    return { items: entries, next };
  });
  return (
    <Page title="Audit log" lead="Actions on keys and users of this account. Entries never change.">
      <PagedTable
        pages={pages}
        caption="Audit log of the account"
        empty={<p>No entries yet. Actions on keys and users appear here.</p>}
        columns={columns}
        keyOf={(entry) =>
          `${entry.at} ${entry.event} ${entry.key} ${entry.actor} ${JSON.stringify(entry.details)}`
        }
      />
    </Page>
  );
}

const columns: readonly Column<Entry>[] = [
  { head: 'Time', value: ({ at }) => at, cell: ({ at }) => <Moment at={at} />, kind: 'day' },
  { head: 'Event', value: ({ event }) => event, cell: ({ event }) => eventLabel(event), isHeading: true },
  {
    head: 'Actor',
    value: ({ actor, login }) => login ?? actor,
    cell: ({ actor, login }) => login ?? (actor === 'cli' ? 'the command line' : <code>{actor}</code>),
  },
  { head: 'IP address', value: ({ address }) => address, cell: ({ address }) => address ?? '–' },
  { head: 'Details', cell: ({ key, details }) => <EntryDetails keyId={key} details={details} /> },
];

function EntryDetails({
  keyId,
  details,
}: {
  readonly keyId: string | null;
  readonly details: Entry['details'];
}) {
  const known = Object.entries(details).filter(([, value]) => value !== null);
  return (
    <>
      {keyId !== null && <code>{keyId}</code>}
      {known.map(([name, value]) => (
        <div key={name} class="small quiet">
          {name.replaceAll('_', ' ')}: {detailText(value)}
        </div>
      ))}
    </>
  );
}

/** Formats a detail. An object, such as a mapped advertiser, is listed by its values. */
function detailText(value: unknown): string {
  if (Array.isArray(value)) return value.map(detailText).join(', ');
  return typeof value === 'object' && value !== null
    ? Object.values(value).map(detailText).join(' ')
    : String(value);
}
