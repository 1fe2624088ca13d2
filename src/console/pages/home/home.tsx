import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { dateFormat } from '../../components/dates/date-language.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { FinishedBatches } from './finished-batches.tsx';
import { NewAds } from './new-ads.tsx';
import { NextScans } from './next-scans.tsx';
import { Waiting } from './waiting.tsx';
import { Welcome } from './welcome.tsx';

const today = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** Start page: new ads, tasks, finished batches and next scans. */
export function Home() {
  const loaded = useLoad(
    'home batches',
    async (signal) => {
      const { batches } = await read(api.GET('/v1/batches', { params: { query: { limit: 100 } }, signal }));
      return batches;
    },
    ['batches'],
  );
  const newBatch = can('batches:write') && (
    <a class="button primary" href="/batches/new">
      New batch
    </a>
  );
  return (
    <Page title="Today" lead={today(new Date())} actions={newBatch}>
      <WhenLoaded loaded={loaded}>{(batches) => <Morning batches={batches} />}</WhenLoaded>
    </Page>
  );
}

function Morning({ batches }: { readonly batches: readonly Body<'Batch'>[] }) {
  if (batches.length === 0) return <Welcome />;
  return (
    <div class="morning">
      <Waiting batches={batches} />
      <NewAds />
      <FinishedBatches batches={batches} />
      <NextScans />
    </div>
  );
}
