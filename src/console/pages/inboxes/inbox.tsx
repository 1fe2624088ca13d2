import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Banner } from '../../components/banner.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Terms } from '../../components/terms.tsx';
import { Moment } from '../../components/values.tsx';
import { InboxControls } from './inbox-controls.tsx';
import { InboxFiles } from './inbox-files.tsx';
import { inboxState, inboxTerms } from './inbox-labels.ts';

type Inbox = Body<'Inbox'>;

/** Page of an inbox: its state, settings and files. */
export function InboxPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // The key resets all state for another inbox.
  return <InboxDetails key={id} id={id} />;
}

function InboxDetails({ id }: { readonly id: string }) {
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/inboxes/{id}', { params: { path: { id } }, signal })),
  );
  const inbox = loaded.data;
  return (
    <Page kind="Inbox" title={inbox?.name ?? 'Inbox'} lead={inbox && <Lead inbox={inbox} />}>
      <WhenLoaded loaded={loaded}>
        {(data) => (
          <>
            {data.last_error !== null && (
              <Banner kind="error" title="The last look failed">
                <p>{data.last_error}</p>
                <p class="quiet">Nightshift tries again at the next look.</p>
              </Banner>
            )}
            {can('batches:write') && <InboxControls inbox={data} onChanged={loaded.replace} />}
            <Section title="Settings">
              <Terms terms={inboxTerms(data)} />
            </Section>
            <InboxFiles inbox={data} onReload={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function Lead({ inbox }: { readonly inbox: Inbox }) {
  const [tone, name] = inboxState(inbox);
  return (
    <>
      <Badge tone={tone}>{name}</Badge> {inbox.description}, {inbox.time_zone} <code>{inbox.cron}</code>
      {inbox.next_at !== null && (
        <>
          . Next look: <Moment at={inbox.next_at} />
        </>
      )}
    </>
  );
}
