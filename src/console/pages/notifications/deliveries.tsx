import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted, Moment } from '../../components/values.tsx';
import { deliveryLabels, eventLabel } from './target-labels.ts';

type Delivery = Body<'Delivery'>;

const states = Object.entries(deliveryLabels).map(([value, [, name]]) => ({ value, name }));

/** Deliveries to a target, newest first, with buttons to send them again. */
export function Deliveries({
  target: { id, dead },
  onReload,
}: {
  readonly target: Body<'Webhook'>;
  /** Loads the target again. */
  readonly onReload: () => void;
}) {
  const [state, setState] = useState('');
  const pages = usePages<Delivery>(
    `${id} ${state}`,
    async (after, signal, isLarge) => {
      const query = {
        limit: isLarge ? 1000 : 50,
        ...(after === undefined ? {} : { after }),
        ...(state === '' ? {} : { state: state as Delivery['state'] }),
      };
      const { deliveries, next } = await read(
        api.GET('/v1/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }),
      );
      return { items: deliveries, next };
    },
    ['notifications'],
  );
  const reload = () => {
    onReload();
    pages.reload();
  };
  const replay = useAction(async (which: Body<'ReplayRequest'>) => {
    const { replayed } = await read(
      api.POST('/v1/webhooks/{id}/replay', { params: { path: { id } }, body: which }),
    );
    toast(replayed === 0 ? 'There is nothing to send.' : `${formatCounted(replayed, 'event')} queued.`);
    reload();
  });
  return (
    <Section
      title="Deliveries"
      lead="Newest first. A failed delivery is tried ten times within about three days."
      actions={
        <>
          <button type="button" onClick={reload}>
            Refresh
          </button>
          {dead > 0 && (
            <button type="button" disabled={replay.isRunning} onClick={() => replay.run({ dead: true })}>
              Send dead ones again
            </button>
          )}
        </>
      }
    >
      <div class="filters">
        <ChoiceField label="State" all="All deliveries" value={state} choices={states} onChoose={setState} />
      </div>
      <ErrorBanner error={replay.error} />
      <PagedTable
        pages={pages}
        caption="Deliveries to the target, newest first"
        count={{ noun: ['delivery', 'deliveries'] }}
        columns={columns((event) => replay.run({ event_id: event }))}
        keyOf={({ event_id: event }) => event}
        empty={
          <p>
            {state === ''
              ? 'No deliveries yet. Events that occur from now on are listed here. Tests are not.'
              : 'No deliveries in this state. Choose another one.'}
          </p>
        }
      />
    </Section>
  );
}

function columns(sendAgain: (event: string) => void): readonly Column<Delivery>[] {
  return [
    {
      head: 'Event',
      isHeading: true,
      value: ({ event }) => eventLabel(event),
      cell: ({ event }) => eventLabel(event),
    },
    {
      head: 'Occurred',
      kind: 'day',
      value: ({ created_at: at }) => at,
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
    {
      head: 'State',
      value: ({ state }) => deliveryLabels[state][1],
      cell: ({ state, attempts }) => {
        const [tone, name] = deliveryLabels[state];
        return (
          <>
            <Badge tone={tone}>{name}</Badge>
            {attempts > 1 && <div class="quiet small">{formatCounted(attempts, 'attempt')}</div>}
          </>
        );
      },
    },
    {
      head: 'Answer',
      value: ({ last_status: status }) => status,
      cell: ({ last_status: status, last_error: error }) => (
        <span class="small">{error ?? status ?? '–'}</span>
      ),
    },
    {
      head: 'Last attempt',
      kind: 'day',
      value: ({ tried_at: at }) => at,
      cell: ({ tried_at: at }) => <Moment at={at} />,
    },
    {
      head: 'Next attempt',
      kind: 'day',
      value: ({ next_at: at }) => at,
      cell: ({ next_at: at }) => <Moment at={at} />,
    },
    {
      head: 'Actions',
      cell: ({ event_id: event, state }) =>
        state !== 'pending' && (
          <button type="button" onClick={() => sendAgain(event)}>
            Send again<span class="hidden"> {event}</span>
          </button>
        ),
    },
  ];
}
