import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { Figures } from '../../components/figures.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { formatCredits } from '../../components/values.tsx';
import { Ledger } from './ledger.tsx';
import { Usage } from './usage.tsx';

const views = [
  ['day', 'By day'],
  ['batch', 'By batch'],
  ['operation', 'By operation'],
  ['ledger', 'Ledger'],
] as const;
type View = (typeof views)[number][0];

/** Page of the balance, the usage and the ledger. */
export function Credits() {
  const query = useQuery();
  const view = views.find(([name]) => name === query.get('view'))?.[0] ?? 'day';
  const loaded = useLoad('credits', (signal) => read(api.GET('/v1/credits', { signal })), ['balance']);
  return (
    <Page
      title="Credits"
      lead="You pay for results. Lookups without ads, not identified, unknown or failed are free."
    >
      <WhenLoaded loaded={loaded}>{(credits) => <Balance credits={credits} />}</WhenLoaded>
      <Section title="Usage">
        <Views query={query} view={view} />
        {view === 'ledger' ? <Ledger /> : <Usage key={view} by={view} query={query} />}
      </Section>
    </Page>
  );
}

function Balance({ credits: { credits, held, total } }: { readonly credits: Body<'Credits'> }) {
  return (
    <Figures
      figures={[
        { name: 'Available', value: formatCredits(credits) },
        {
          name: 'Reserved',
          value: formatCredits(held),
          note: 'for open lookups; unused credits return',
        },
        { name: 'Balance', value: formatCredits(total), note: 'granted minus charged' },
      ]}
    />
  );
}

function Views({ query, view }: { readonly query: Query; readonly view: View }) {
  return (
    <p class="actions" role="group" aria-label="Group usage">
      {views.map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === view}
          onClick={() => query.set({ view: name === 'day' ? '' : name })}
        >
          {label}
        </button>
      ))}
    </p>
  );
}
