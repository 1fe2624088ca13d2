import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { formatCapped } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';
import { MailState } from './mail-state.tsx';
import { eventsText, kindLabels, targetState } from './target-labels.ts';

type Target = Body<'Webhook'>;

/** Page of all targets of events: mailboxes, Slack channels and programs. */
export function Notifications() {
  const [mailFrom, setMailFrom] = useState<string | null | undefined>(undefined);
  const pages = usePages<Target>(
    'notifications',
    async (_after, signal) => {
      const { webhooks, mail_from: from } = await read(api.GET('/v1/webhooks', { signal }));
      setMailFrom(from);
      return { items: webhooks, next: null };
    },
    ['notifications'],
  );
  const add = (
    <a class="button primary" href="/account/notifications/new">
      Add target
    </a>
  );
  return (
    <Page
      title="Notifications"
      lead="Mailboxes, Slack channels and programs that receive the events of this account."
      actions={add}
    >
      {mailFrom !== undefined && <MailState from={mailFrom} />}
      <PagedTable
        pages={pages}
        caption="Notification targets of the account"
        count={{ noun: ['target', 'targets'] }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>
              No notifications yet. Add a mailbox, a Slack channel or a program to learn when a batch
              finishes, a scan finds changes or credits are low.
            </p>
            {add}
          </>
        }
      />
    </Page>
  );
}

const columns: readonly Column<Target>[] = [
  {
    head: 'Target',
    isHeading: true,
    value: ({ name }) => name,
    cell: ({ id, name }) => <a href={`/account/notifications/${id}`}>{name}</a>,
  },
  { head: 'Kind', value: ({ kind }) => kindLabels[kind], cell: ({ kind }) => kindLabels[kind] },
  { head: 'Address', value: ({ target }) => target, cell: ({ target }) => <code>{target}</code> },
  { head: 'Events', cell: ({ events }) => <span class="small">{eventsText(events)}</span> },
  {
    head: 'State',
    value: (target) => targetState(target)[1],
    cell: (target) => {
      const [tone, name] = targetState(target);
      return (
        <>
          <Badge tone={tone}>{name}</Badge>
          {target.reason !== null && <div class="small">{target.reason}</div>}
        </>
      );
    },
  },
  {
    head: 'Pending',
    kind: 'number',
    value: ({ pending }) => pending,
    cell: ({ pending }) => formatCapped(pending),
  },
  { head: 'Dead', kind: 'number', value: ({ dead }) => dead, cell: ({ dead }) => formatCapped(dead) },
  {
    head: 'Last delivery',
    kind: 'day',
    value: ({ last_delivered_at: at }) => at,
    cell: ({ last_delivered_at: at }) => <Moment at={at} />,
  },
];
