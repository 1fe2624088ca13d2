import { useRoute } from 'preact-iso';
import { api, read } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Banner } from '../../components/banner.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Terms } from '../../components/terms.tsx';
import { DestinationControls } from './destination-controls.tsx';
import { destinationState, destinationTerms } from './destination-labels.ts';
import { Landings } from './landings.tsx';

/** Page of a destination: its state, settings and landings. */
export function DestinationPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // The key resets all state for another destination.
  return <DestinationDetails key={id} id={id} />;
}

function DestinationDetails({ id }: { readonly id: string }) {
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/destinations/{id}', { params: { path: { id } }, signal })),
  );
  const { data } = loaded;
  const [tone, name] = data === undefined ? ['plain' as const, ''] : destinationState(data);
  return (
    <Page
      kind="Destination"
      title={data?.name ?? 'Destination'}
      lead={
        data && (
          <>
            <Badge tone={tone}>{name}</Badge> <code>{data.location}</code>
          </>
        )
      }
    >
      <WhenLoaded loaded={loaded}>
        {(destination) => (
          <>
            {destination.reason !== null && (
              <Banner kind="warning" title={destination.reason}>
                {destination.state === 'disabled' && <p>Landings wait until you enable the destination.</p>}
              </Banner>
            )}
            <DestinationControls destination={destination} onChanged={loaded.replace} />
            <Section title="Settings">
              <Terms terms={destinationTerms(destination)} />
            </Section>
            <Landings destination={destination} onReload={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}
