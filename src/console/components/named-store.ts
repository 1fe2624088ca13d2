/** Items of a user under names, in this browser. Reading never fails; saving throws when the browser has no room. */
export interface NamedStore<Item> {
  readonly read: () => readonly Item[];
  /** Saves an item in place of an earlier one with its name. Returns all items by name. */
  readonly save: (item: Item) => readonly Item[];
  /** Removes an item. Returns the others. */
  readonly remove: (name: string) => readonly Item[];
  /** Renames an item, in place of an earlier one with the new name. Returns all items by name. */
  readonly rename: (name: string, to: string) => readonly Item[];
}

/** Maximum number of items; a further one replaces the last by name. */
const itemsMax = 50;

/**
 * Creates a store of named items in the storage of the browser.
 *
 * @param isItem tells an item from damaged data, which is ignored.
 */
export function createNamedStore<Item extends { readonly name: string }>(
  key: string,
  isItem: (value: object) => value is Item,
): NamedStore<Item> {
  const read = (): readonly Item[] => {
    try {
      const items: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
      return Array.isArray(items)
        ? items.filter(
            (item: unknown): item is Item => typeof item === 'object' && item !== null && isItem(item),
          )
        : [];
    } catch {
      // Damaged by another program: there is nothing to read.
      return [];
    }
  };
  const write = (items: readonly Item[]): readonly Item[] => {
    const sorted = items.slice(-itemsMax).sort((one, other) => one.name.localeCompare(other.name));
    localStorage.setItem(key, JSON.stringify(sorted));
    return sorted;
  };
  const without = (...names: readonly string[]) => read().filter(({ name }) => !names.includes(name));
  return {
    read,
    save: (item) => write([...without(item.name), item]),
    remove: (name) => write(without(name)),
    rename: (name, to) => {
      const item = read().find((each) => each.name === name);
      return item === undefined ? read() : write([...without(name, to), { ...item, name: to }]);
    },
  };
}

/** Checks that some fields of damaged or foreign data are texts. */
export function hasTexts<Name extends string>(
  value: object,
  names: readonly Name[],
): value is { readonly [each in Name]: string } {
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'string');
}
