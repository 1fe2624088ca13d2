import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { download } from '../../components/download.ts';
import { Notice, ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';
import type { Asked } from './query-box.tsx';

/** Answer of a query, as a table and as a file. */
export function Answer({ asked, answer }: { readonly asked: Asked; readonly answer: Body<'QueryAnswer'> }) {
  const { rows, cut_off: isCutOff, elapsed_ms: elapsed } = answer;
  const saving = useAction(() =>
    download(
      '/v1/sql',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...asked, format: 'csv' }),
      },
      'query.csv',
    ),
  );
  return (
    <Section
      title="Answer"
      lead={`${formatCounted(rows.length, 'row')} in ${formatCount(elapsed)} ms`}
      actions={
        rows.length > 0 && (
          <button type="button" disabled={saving.isRunning} onClick={saving.run}>
            Run again for a CSV
          </button>
        )
      }
    >
      <ErrorBanner failure={saving.failure} />
      {isCutOff && (
        <Notice kind="warning">
          <p>There are more rows than the {formatCount(asked.limit)} that were asked for.</p>
        </Notice>
      )}
      {rows.length === 0 ? (
        <div class="empty">
          <p>No row is like that.</p>
        </div>
      ) : (
        <AnswerTable answer={answer} />
      )}
    </Section>
  );
}

/** Two columns may have one name, and a row nothing that names it. */
function AnswerTable({ answer: { columns, rows } }: { readonly answer: Body<'QueryAnswer'> }) {
  return (
    <div class="scroll answer" tabIndex={0} role="region" aria-label="Rows of the answer">
      <table>
        <caption class="hidden">Rows of the answer</caption>
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
  // Numbers and truth values are written as they are, JSON as JSON.
  return <code>{JSON.stringify(value)}</code>;
}
