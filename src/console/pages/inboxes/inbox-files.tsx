import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatBytes, Moment } from '../../components/values.tsx';
import { fileLabels, filesText } from './inbox-labels.ts';

type Inbox = Body<'Inbox'>;
type InboxFile = Body<'InboxFile'>;

const states = Object.entries(fileLabels).map(([value, [, name]]) => ({ value, name }));

/** Files of an inbox, newest first, with their batches and reasons. */
export function InboxFiles({
  inbox,
  onReload,
}: {
  readonly inbox: Inbox;
  /** Loads the inbox again. */
  readonly onReload: () => void;
}) {
  const { id } = inbox;
  const [state, setState] = useState('');
  const pages = usePages<InboxFile>(`${id} ${state}`, async (after, signal) => {
    const query = {
      ...(after === undefined ? {} : { after }),
      ...(state === '' ? {} : { state: state as InboxFile['state'] }),
    };
    const { files, next } = await read(
      api.GET('/v1/inboxes/{id}/files', { params: { path: { id }, query }, signal }),
    );
    return { items: files, next };
  });
  const retry = useAction(async (file: string) => {
    await read(api.POST('/v1/inboxes/{id}/files/{file}/retry', { params: { path: { id, file } } }));
    toast('Nightshift loads the file again within seconds.');
    pages.reload();
  });
  return (
    <Section
      title="Files"
      lead={`Newest first: ${filesText(inbox)}.`}
      actions={
        <button
          type="button"
          onClick={() => {
            onReload();
            pages.reload();
          }}
        >
          Refresh
        </button>
      }
    >
      <div class="filters">
        <ChoiceField label="State" all="All files" value={state} choices={states} onChoose={setState} />
      </div>
      <ErrorBanner error={retry.error} />
      <PagedTable
        pages={pages}
        caption="Files of the inbox, newest first"
        columns={columns(retry.run)}
        keyOf={(file) => file.id}
        empty={
          <p>
            {state === ''
              ? 'No files yet. Put a list into the location, then look now.'
              : 'No files in this state. Choose another one.'}
          </p>
        }
      />
    </Section>
  );
}

function columns(retry: (file: string) => void): readonly Column<InboxFile>[] {
  return [
    {
      head: 'File',
      isHeading: true,
      cell: ({ path, place }) => (
        <>
          {path}
          {place !== null && place !== path && <div class="quiet small">now {place}</div>}
        </>
      ),
    },
    {
      head: 'State',
      cell: ({ state, reason }) => {
        const [tone, name] = fileLabels[state];
        return (
          <>
            <Badge tone={tone}>{name}</Badge>
            {reason !== null && <div class="small">{reason}</div>}
          </>
        );
      },
    },
    {
      head: 'Batch',
      cell: ({ batch, path }) =>
        batch === null ? (
          <span class="quiet">–</span>
        ) : (
          <a href={`/batches/${batch}`}>
            Batch<span class="hidden"> of {path}</span>
          </a>
        ),
    },
    { head: 'Size', kind: 'number', cell: ({ bytes }) => formatBytes(bytes) },
    { head: 'First seen', kind: 'day', cell: ({ first_seen_at: at }) => <Moment at={at} /> },
    {
      head: 'Actions',
      cell: ({ id, path, state }) =>
        state === 'failed' &&
        can('batches:write') && (
          <button type="button" onClick={() => retry(id)}>
            Load again<span class="hidden"> {path}</span>
          </button>
        ),
    },
  ];
}
