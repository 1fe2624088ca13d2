import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { download } from '../../components/download.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';
import type { QueryRequest } from './query-request.ts';

/** Result of a query, as a table and as a file. */
export function QueryResult({
  request,
  result,
}: {
  readonly request: QueryRequest;
  readonly result: Body<'QueryAnswer'>;
}) {
  const { rows, cut_off: isCutOff, elapsed_ms: elapsed } = result;
  const saving = useAction(() =>
    download(
      '/v1/sql',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...request, format: 'csv' }),
      },
      'query.csv',
    ),
  );
  return (
    <Section
      title="Result"
      lead={`${formatCounted(rows.length, 'row')} in ${formatCount(elapsed)} ms`}
      actions={
        rows.length > 0 && (
          <button type="button" disabled={saving.isRunning} onClick={saving.run}>
            Download CSV
          </button>
        )
      }
    >
      <ErrorBanner error={saving.error} />
      {isCutOff && (
        <Banner kind="warning">
          <p>Only the first {formatCount(request.limit)} rows are shown. Raise the row limit to see more.</p>
        </Banner>
      )}
      {rows.length === 0 ? (
        <div class="empty">
          <p>The query returned no rows.</p>
        </div>
      ) : (
        <ResultTable result={result} />
      )}
    </Section>
  );
}

/** Table of result rows. Column names may repeat, and rows have no key. */
function ResultTable({ result: { columns, rows } }: { readonly result: Body<'QueryAnswer'> }) {
  return (
    <div class="scroll answer" tabIndex={0} role="region" aria-label="Result rows">
      <table>
        <caption class="hidden">Result rows</caption>
        <thead>
          <tr>
            {columns.map(({ name, type }, i) => (
              <th key={i} scope="col" title={type}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((value, j) => (
                <td key={j} class={typeof value === 'number' ? 'number' : undefined}>
                  <Value value={value} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (value === null) return <span class="quiet">null</span>;
  if (typeof value === 'string') return <>{value}</>;
  // Numbers, booleans and JSON.
  return <code>{JSON.stringify(value)}</code>;
}
