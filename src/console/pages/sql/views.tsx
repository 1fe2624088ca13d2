import type { Body } from '../../api/client.ts';
import { Table, type Column } from '../../components/tables/table.tsx';

type View = Body<'QueryViews'>['views'][number];

/** Views and functions for queries, with descriptions of their columns. */
export function Views({
  views,
  onChosen,
}: {
  readonly views: readonly View[];
  readonly onChosen: (query: string) => void;
}) {
  return (
    <div class="views">
      {views.map((view) => (
        <details key={view.name} class="card">
          <summary>
            <code>{viewSignature(view)}</code> <span class="quiet">{view.comment}</span>
          </summary>
          <p>
            <button
              type="button"
              onClick={() => {
                onChosen(exampleQuery(view));
                document.querySelector<HTMLTextAreaElement>('.query textarea')?.focus();
              }}
            >
              Query <code>{view.name}</code>
            </button>
          </p>
          <Table
            caption={`Columns of ${view.name}`}
            columns={columns}
            rows={view.columns}
            keyOf={({ name }) => name}
          />
        </details>
      ))}
    </div>
  );
}

function viewSignature({ name, parameters }: View): string {
  return parameters === null ? name : `${name}(${parameters})`;
}

/** Builds a query that runs without edits. Required dates of functions are today. */
function exampleQuery({ name, parameters }: View): string {
  if (parameters === null) return `select * from ${name} limit 100`;
  const required = parameters.split(', ').filter((parameter) => !parameter.includes(' DEFAULT '));
  const values = required.map((parameter) => (parameter.endsWith(' date') ? 'current_date' : 'null'));
  return `select * from ${name}(${values.join(', ')}) limit 100`;
}

const columns: readonly Column<View['columns'][number]>[] = [
  { head: 'Column', isHeading: true, cell: ({ name }) => <code>{name}</code> },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'Description', cell: ({ comment }) => comment ?? '' },
];
