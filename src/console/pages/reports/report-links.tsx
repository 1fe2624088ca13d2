import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { formatCounted, Moment } from '../../components/values.tsx';

type Link = Body<'ReportLink'>;

const states: Readonly<Record<Link['state'], readonly [tone: 'good' | 'plain', name: string]>> = {
  active: ['good', 'Active'],
  expired: ['plain', 'Expired'],
  revoked: ['plain', 'Revoked'],
};

/** Links to a report, newest first, each with a button that revokes it. */
export function ReportLinks({ links }: { readonly links: Loaded<Body<'ReportLinkList'>> }) {
  const revoking = useAction(async ({ id }: Link) => {
    await read(api.DELETE('/v1/report-links/{id}', { params: { path: { id } } }));
    links.reload();
  });
  const columns: readonly Column<Link>[] = [
    {
      head: 'Created',
      isHeading: true,
      cell: ({ created_at: at, owner: { name, id } }) => (
        <>
          <Moment at={at} />
          <div class="quiet small">{name ?? id}</div>
        </>
      ),
    },
    {
      head: 'State',
      cell: ({ state, expires_at: at }) => {
        const [tone, name] = states[state];
        return (
          <>
            <Badge tone={tone}>{name}</Badge>
            {state !== 'revoked' && (
              <div class="quiet small">
                until <Moment at={at} />
              </div>
            )}
          </>
        );
      },
    },
    { head: 'Opened', cell: ({ opened }) => formatCounted(opened, 'time') },
    {
      head: 'Actions',
      cell: (link) =>
        link.state === 'active' && (
          <button type="button" disabled={revoking.isRunning} onClick={() => revoking.run(link)}>
            Revoke<span class="hidden"> link of {link.created_at}</span>
          </button>
        ),
    },
  ];
  return (
    <WhenLoaded loaded={links}>
      {({ links: rows }) => (
        <>
          {rows.length === 0 ? (
            <p class="quiet">No links yet.</p>
          ) : (
            <Table caption="Links to this report" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )}
          <ErrorBanner error={revoking.error} />
        </>
      )}
    </WhenLoaded>
  );
}
