import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { findViews, relationText, shortType, startQuery, type View } from './find-views.ts';

/** Views and functions with their columns and types. A click on a name inserts it into the query. */
export function ViewList({
  views,
  onInsert,
  onQuery,
}: {
  readonly views: Body<'QueryViews'>['views'];
  readonly onInsert: (name: string) => void;
  /** Replaces the query. */
  readonly onQuery: (query: string) => void;
}) {
  const [searched, setSearched] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const found = findViews(views, searched);
  const toggle = (name: string) => {
    const next = new Set(opened);
    if (!next.delete(name)) next.add(name);
    setOpened(next);
  };
  return (
    <>
      <input
        type="search"
        aria-label="Search views and columns"
        placeholder="View or column"
        maxLength={100}
        value={searched}
        onInput={({ currentTarget }) => setSearched(currentTarget.value)}
      />
      {found.length === 0 && (
        <p class="quiet" role="status">
          No view or column matches.
        </p>
      )}
      <ul class="view-list">
        {found.map(({ view, columns }) => (
          <ViewItem
            key={view.name}
            view={view}
            columns={columns}
            // A search shows the columns that it finds.
            isOpen={opened.has(view.name) || columns.length < view.columns.length}
            onToggle={() => toggle(view.name)}
            onInsert={onInsert}
            onQuery={onQuery}
          />
        ))}
      </ul>
    </>
  );
}

function ViewItem({
  view,
  columns,
  isOpen,
  onToggle,
  onInsert,
  onQuery,
}: {
  readonly view: View;
  readonly columns: View['columns'];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onInsert: (name: string) => void;
  readonly onQuery: (query: string) => void;
}) {
  const { name, comment, parameters } = view;
  return (
    <li>
      <div class="view-name">
        <button
          type="button"
          class="icon"
          aria-expanded={isOpen}
          aria-label={`Columns of ${name}`}
          onClick={onToggle}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        </button>
        <button
          type="button"
          class="insert"
          title={comment ?? undefined}
          onClick={() => onInsert(relationText(view))}
        >
          {name}
          {parameters !== null && <span class="quiet">(…)</span>}
        </button>
      </div>
      {isOpen && (
        <div class="view-columns">
          {comment !== null && <p class="quiet small">{comment}</p>}
          {parameters !== null && <p class="quiet small">Parameters: {parameters}</p>}
          <button type="button" class="plain" onClick={() => onQuery(startQuery(view))}>
            Query {name}
          </button>
          <ul>
            {columns.map((column) => (
              <li key={column.name}>
                <button
                  type="button"
                  class="insert"
                  title={column.comment ?? undefined}
                  onClick={() => onInsert(column.name)}
                >
                  {column.name} <span class="quiet">{shortType(column.type)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}
