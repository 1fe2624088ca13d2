import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-query.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { QueryResult } from './query-result.tsx';
import { Connection } from './connection.tsx';
import { QueryBox, type QueryRequest } from './query-box.tsx';
import { Views } from './views.tsx';

/** Maximum length of a query in the URL: some programs truncate longer ones. */
const sharedCharsMax = 2000;

/** Page for SQL queries on the account's data, with its views and connection details. */
export function Sql() {
  const query = useQuery();
  const [text, setText] = useState(query.get('q'));
  const [shown, setShown] = useState<{
    readonly request: QueryRequest;
    readonly result: Body<'QueryAnswer'>;
  } | null>(null);
  const views = useLoad('views', (signal) => read(api.GET('/v1/sql/views', { signal })));
  const action = useAction(async (request: QueryRequest) => {
    setShown(null);
    if (request.query.length <= sharedCharsMax) query.set({ q: request.query }, { replace: true });
    const body = { ...request, format: 'json' as const };
    // The other format is text.
    const result = (await read(api.POST('/v1/sql', { body }))) as Body<'QueryAnswer'>;
    setShown({ request, result });
  });
  return (
    <Page title="SQL" lead="Query the data of this account with Postgres SQL. Queries are read-only.">
      <QueryBox text={text} onText={setText} isRunning={action.isRunning} onRun={action.run} />
      <ErrorBanner error={action.error} />
      {shown !== null && <QueryResult {...shown} />}
      <Section title="Views" lead="Open a view to see its columns.">
        <WhenLoaded loaded={views}>
          {({ views: found }) => <Views views={found} onChosen={setText} />}
        </WhenLoaded>
      </Section>
      <Connection />
    </Page>
  );
}
