import type { Body } from '../../api/client.ts';
import { Table, type Column } from '../../components/table.tsx';

type View = Body<'QueryViews'>['views'][number];

/** The views and functions that queries read, with what they and their columns mean. */
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
            <code>{calledAs(view)}</code> <span class="quiet">{view.comment}</span>
          </summary>
          <p>
            <button
              type="button"
              onClick={() => {
                onChosen(queryOf(view));
                document.querySelector<HTMLTextAreaElement>('.query textarea')?.focus();
              }}
            >
              Ask for <code>{view.name}</code>
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

function calledAs({ name, parameters }: View): string {
  return parameters === null ? name : `${name}(${parameters})`;
}

/** A query that runs as it is: what a function has to be given is today, where it wants a day. */
function queryOf({ name, parameters }: View): string {
  if (parameters === null) return `select * from ${name} limit 100`;
  const wanted = parameters.split(', ').filter((parameter) => !parameter.includes(' DEFAULT '));
  const given = wanted.map((parameter) => (parameter.endsWith(' date') ? 'current_date' : 'null'));
  return `select * from ${name}(${given.join(', ')}) limit 100`;
}

const columns: readonly Column<View['columns'][number]>[] = [
  { head: 'Column', isHeading: true, cell: ({ name }) => <code>{name}</code> },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'What it means', cell: ({ comment }) => comment ?? '' },
];
