import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Banner } from '../../components/banner.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Terms } from '../../components/terms.tsx';
import { Moment } from '../../components/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { TargetControls } from './target-controls.tsx';
import { eventsText, kindLabels, targetState } from './target-labels.ts';

type Target = Body<'Webhook'>;

/** Page of a target: its state, settings and deliveries. */
export function TargetPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // The key resets all state for another target.
  return <TargetDetails key={id} id={id} />;
}

function TargetDetails({ id }: { readonly id: string }) {
  const loaded = useLoad(
    id,
    (signal) => read(api.GET('/v1/webhooks/{id}', { params: { path: { id } }, signal })),
    ['notifications'],
  );
  const { data } = loaded;
  const [tone, name] = data === undefined ? ['plain' as const, ''] : targetState(data);
  return (
    <Page
      kind="Notification target"
      title={data?.name ?? 'Notification target'}
      lead={
        data && (
          <>
            <Badge tone={tone}>{name}</Badge> <code>{data.target}</code>
          </>
        )
      }
    >
      <WhenLoaded loaded={loaded}>
        {(target) => (
          <>
            <StateBanner target={target} />
            <TargetControls target={target} onChanged={loaded.replace} />
            <Section title="Settings">
              <Terms terms={termsOf(target)} />
            </Section>
            <Deliveries target={target} onReload={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

/** Reason why nothing is sent, with the next step. */
function StateBanner({ target: { state, target, reason } }: { readonly target: Target }) {
  if (state === 'unconfirmed')
    return (
      <Banner kind="warning" title={`Open the link that was sent to ${target}`}>
        <p>It is valid for a week. Until then no events are sent. “Send link again” replaces it.</p>
      </Banner>
    );
  if (reason === null) return null;
  return (
    <Banner kind="warning" title={`Disabled: ${reason}`}>
      <p>Events wait until you enable the target.</p>
    </Banner>
  );
}

function termsOf({ kind, target, events, secret_before_until: until }: Target) {
  return [
    ['Kind', kindLabels[kind]],
    ['Address', target],
    ['Events', eventsText(events)],
    ...(until === null
      ? []
      : [
          [
            'Previous secret',
            <>
              also signs until <Moment at={until} />
            </>,
          ] as const,
        ]),
  ] as const;
}
