import type { Body } from '../../api/client.ts';
import { useSubscriptions } from '../../api/use-subscriptions.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { Moment } from '../../components/values.tsx';

type Subscription = Body<'SubscriptionList'>['subscriptions'][number];

/** Batches and schedules that the signed-in user gets e-mail about, with buttons to end it. */
export function OwnSubscriptions() {
  const { loaded, set } = useSubscriptions();
  return (
    <Section title="E-mail" lead="Batches and schedules that you get e-mail about.">
      <ErrorBanner error={set.error} />
      <WhenLoaded loaded={loaded}>
        {({ subscriptions }) =>
          subscriptions.length === 0 ? (
            <div class="empty">
              <p>None yet. Tick “E-mail me” on a batch that runs, or on a schedule.</p>
            </div>
          ) : (
            <Table
              caption="Your subscriptions, newest first"
              columns={columns((subscription) => set.run(subscription, false))}
              rows={subscriptions}
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

const kindNames = { batch: 'Batch', schedule: 'Schedule' } as const;

function columns(end: (subscription: Subscription) => void): readonly Column<Subscription>[] {
  return [
    {
      head: 'Name',
      isHeading: true,
      cell: ({ kind, id, name }) => (
        <a href={kind === 'batch' ? `/batches/${id}` : `/schedules/${id}`}>{name}</a>
      ),
    },
    { head: 'Kind', cell: ({ kind }) => kindNames[kind] },
    { head: 'Since', kind: 'day', cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      head: 'Actions',
      cell: (subscription) => (
        <button type="button" onClick={() => end(subscription)}>
          Unsubscribe<span class="hidden"> from {subscription.name}</span>
        </button>
      ),
    },
  ];
}
