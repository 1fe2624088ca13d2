/** Column with an identifier. */
interface Identified {
  readonly id: string;
  /** Not shown until the user chooses it. */
  readonly isHidden?: boolean;
}

/** Lists the identifiers of the shown columns, in order: as chosen in the URL (`a,b`), else as defined. Ignores unknown ones. */
export function shownColumns(columns: readonly Identified[], chosen: string): readonly string[] {
  const known = columns.map(({ id }) => id);
  const wanted = chosen.split(',').map(decode);
  const ids = [...new Set(wanted)].filter((id) => known.includes(id));
  return ids.length > 0 ? ids : columns.filter(({ isHidden }) => isHidden !== true).map(({ id }) => id);
}

/** Formats shown columns for the URL; empty for the default. */
export function columnsText(columns: readonly Identified[], shown: readonly string[]): string {
  const text = shown.map(encodeURIComponent).join(',');
  return text === shownColumns(columns, '').map(encodeURIComponent).join(',') ? '' : text;
}

/** Moves an item by one place, up or down. */
export function moveItem(items: readonly string[], item: string, by: -1 | 1): readonly string[] {
  const from = items.indexOf(item);
  const to = from + by;
  if (from === -1 || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** Decodes an identifier; a text that no console encoded stays. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
