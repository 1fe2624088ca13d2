import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { Figures } from '../../components/figures.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { formatCredits } from '../../components/values.tsx';
import { Ledger } from './ledger.tsx';
import { Usage } from './usage.tsx';

const views = [
  ['day', 'By day'],
  ['batch', 'By list'],
  ['operation', 'By operation'],
  ['ledger', 'The ledger'],
] as const;
type View = (typeof views)[number][0];

/** Page of the balance, the usage and the ledger. */
export function Credits() {
  const query = useQuery();
  const view = views.find(([name]) => name === query.get('view'))?.[0] ?? 'day';
  const loaded = useLoad('credits', (signal) => read(api.GET('/v1/credits', { signal })));
  return (
    <Page
      title="Credits"
      lead="Answers are charged; no ads found, not identified, unknown and failed are free. Every movement stands in the ledger."
    >
      <WhenThere loaded={loaded}>{(credits) => <Balance credits={credits} />}</WhenThere>
      <Section title="What they went into">
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
        { name: 'Can be spent', value: formatCredits(credits) },
        {
          name: 'Held',
          value: formatCredits(held),
          note: 'for lookups that are open; what they do not cost comes back',
        },
        { name: 'Together', value: formatCredits(total), note: 'what was granted less what was charged' },
      ]}
    />
  );
}

function Views({ query, view }: { readonly query: Query; readonly view: View }) {
  return (
    <p class="actions" role="group" aria-label="Added up">
      {views.map(([name, words]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === view}
          onClick={() => query.set({ view: name === 'day' ? '' : name })}
        >
          {words}
        </button>
      ))}
    </p>
  );
}
