import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { filesText, inboxState } from './inbox-labels.ts';

type Inbox = Body<'Inbox'>;

/** Page of all inboxes. */
export function Inboxes() {
  const pages = usePages<Inbox>('inboxes', async (after, signal) => {
    const query = after === undefined ? {} : { after };
    const { inboxes, next } = await read(api.GET('/v1/inboxes', { params: { query }, signal }));
    return { items: inboxes, next };
  });
  const newInbox = can('batches:write') && (
    <a class="button primary" href="/inboxes/new">
      New inbox
    </a>
  );
  return (
    <Page
      title="Inboxes"
      lead="Places that Nightshift looks into regularly. Each new file becomes a batch."
      actions={newInbox}
    >
      <PagedTable
        pages={pages}
        caption="Inboxes, newest first"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>
              No inboxes yet. Add a folder, a bucket, an SFTP server, a web address or a database, and its new
              lists become batches.
            </p>
            {newInbox}
          </>
        }
      />
    </Page>
  );
}

const columns: readonly Column<Inbox>[] = [
  { head: 'Inbox', isHeading: true, cell: ({ id, name }) => <a href={`/inboxes/${id}`}>{name}</a> },
  { head: 'Location', cell: ({ location }) => <code>{location}</code> },
  { head: 'State', cell: (inbox) => <InboxState inbox={inbox} /> },
  { head: 'Next look', kind: 'day', cell: ({ next_at: at }) => <Moment at={at} /> },
  { head: 'Files', cell: (inbox) => <span class="small">{filesText(inbox)}</span> },
];

/** State of an inbox, with the error of its last look. */
function InboxState({ inbox }: { readonly inbox: Inbox }) {
  const [tone, name] = inboxState(inbox);
  return (
    <>
      <Badge tone={tone}>{name}</Badge>
      {inbox.last_error !== null && <div class="small">{inbox.last_error}</div>}
    </>
  );
}
