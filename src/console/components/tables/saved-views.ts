/** Saved view of a table: its filters, order and columns, as the query of the URL. */
export interface SavedView {
  readonly name: string;
  readonly search: string;
}

const viewsMax = 50;

/** Reads the saved views of a table in this browser. Ignores damaged ones. */
export function readViews(table: string): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    // Damaged by another program: there is nothing to read.
    return [];
  }
}

/** Saves a view under its name, in place of an earlier one with this name. Returns all views by name. */
export function saveView(table: string, view: SavedView): readonly SavedView[] {
  const others = readViews(table).filter(({ name }) => name !== view.name);
  const views = [...others, view].slice(-viewsMax).sort((one, other) => one.name.localeCompare(other.name));
  localStorage.setItem(keyOf(table), JSON.stringify(views));
  return views;
}

/** Removes a view. Returns the others. */
export function removeView(table: string, name: string): readonly SavedView[] {
  const views = readViews(table).filter((view) => view.name !== name);
  localStorage.setItem(keyOf(table), JSON.stringify(views));
  return views;
}

function keyOf(table: string): string {
  return `nightshift-views-${table}`;
}

function isView(view: unknown): view is SavedView {
  return (
    typeof view === 'object' &&
    view !== null &&
    'name' in view &&
    typeof view.name === 'string' &&
    'search' in view &&
    typeof view.search === 'string'
  );
}
