import { useRef, useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { toRequestError, type RequestError } from '../../api/request-error.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-query.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Connection } from './connection.tsx';
import { insertName, replaceText } from './insert-text.ts';
import { QueryBox } from './query-box.tsx';
import type { QueryRequest } from './query-request.ts';
import { QueryResult } from './query-result.tsx';
import { ViewList } from './view-list.tsx';

/** Maximum length of a query in the URL: some programs truncate longer ones. */
const sharedCharsMax = 2000;

/** Result of a run. */
type Run =
  | { readonly request: QueryRequest; readonly result: Body<'QueryAnswer'> }
  | { readonly request: QueryRequest; readonly error: RequestError };

/** Width from which the views are beside the editor; below, they are folded above it. */
const twoPanes = '(min-width: 64.01rem)';

/** Page for SQL queries on the account's data: the views on the left, the editor with the result on the right. */
export function Sql() {
  const query = useQuery();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(query.get('q'));
  const [run, setRun] = useState<Run | null>(null);
  const views = useLoad('views', (signal) => read(api.GET('/v1/sql/views', { signal })));
  const action = useAction(async (request: QueryRequest) => {
    setRun(null);
    if (request.query.length <= sharedCharsMax) query.set({ q: request.query }, { replace: true });
    const body = { ...request, format: 'json' as const };
    try {
      // The other format is text.
      const result = (await read(api.POST('/v1/sql', { body }))) as Body<'QueryAnswer'>;
      setRun({ request, result });
    } catch (thrown) {
      setRun({ request, error: toRequestError(thrown) });
    }
  });
  const inEditor = (write: (editor: HTMLTextAreaElement, written: string) => void, written: string) => {
    if (area.current !== null) write(area.current, written);
  };
  return (
    <Page title="SQL" lead="Query the data of this account with Postgres SQL. Queries are read-only.">
      <div class="sql">
        <details class="sql-views card" open={matchMedia(twoPanes).matches}>
          <summary>
            <h2>Views</h2>
          </summary>
          <WhenLoaded loaded={views}>
            {({ views: found }) => (
              <ViewList
                views={found}
                onInsert={(name) => inEditor(insertName, name)}
                onQuery={(start) => inEditor(replaceText, start)}
              />
            )}
          </WhenLoaded>
        </details>
        <div class="sql-query">
          <QueryBox
            area={area}
            text={text}
            onText={setText}
            views={views.data?.views ?? []}
            isRunning={action.isRunning}
            failed={run !== null && 'error' in run ? { query: run.request.query, error: run.error } : null}
            onRun={action.run}
          />
          {run !== null && 'result' in run && <QueryResult {...run} />}
        </div>
      </div>
      <Connection />
    </Page>
  );
}
