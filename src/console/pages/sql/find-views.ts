import type { components } from '../../../../examples/typescript-client/schema.ts';

/** View or function for queries. */
export type View = components['schemas']['QueryViews']['views'][number];

/** View that a search found, with the columns to show. */
export interface FoundView {
  readonly view: View;
  /** All columns, or those that the search found if their view does not match itself. */
  readonly columns: View['columns'];
}

/** Finds views by a part of their name, or of the name of a column. An empty search finds all. */
export function findViews(views: readonly View[], searched: string): readonly FoundView[] {
  const wanted = searched.trim().toLowerCase();
  return views.flatMap((view) => {
    if (view.name.includes(wanted)) return [{ view, columns: view.columns }];
    const columns = view.columns.filter(({ name }) => name.includes(wanted));
    return columns.length === 0 ? [] : [{ view, columns }];
  });
}

/** Text that names a view in a FROM clause. Required parameters of a function have a value: the current day for dates. */
export function relationText({ name, parameters }: View): string {
  if (parameters === null) return name;
  const required = parameters.split(', ').filter((parameter) => !parameter.includes(' DEFAULT '));
  const values = required.map((parameter) => (parameter.endsWith(' date') ? 'current_date' : 'null'));
  return `${name}(${values.join(', ')})`;
}

/** Creates a query of a view that runs without edits. */
export function startQuery(view: View): string {
  return `select * from ${relationText(view)} limit 100`;
}

/** Shortens the name of a type as Postgres accepts it: `timestamptz`. */
export function shortType(type: string): string {
  return type.replace('timestamp with time zone', 'timestamptz');
}
