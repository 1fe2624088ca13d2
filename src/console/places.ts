/** Item of the navigation, shown to users with its permission. */
export interface NavItem {
  readonly path: string;
  readonly name: string;
  /** Permission that the page needs. */
  readonly needs: string;
  /** The address belongs to the server, not to a page of the console. */
  readonly isOutside?: boolean;
}

/** One of the five places of the console, with its pages. */
export interface Place {
  readonly name: string;
  readonly items: readonly [NavItem, ...NavItem[]];
  /** Starts of further addresses at this place. */
  readonly also: readonly string[];
}

/** Places of the console, in order. The first page that the user may see is the place's address. */
export const places: readonly Place[] = [
  {
    name: 'Batches',
    items: [
      { path: '/batches', name: 'All batches', needs: 'batches:read' },
      { path: '/review', name: 'Review', needs: 'batches:read' },
    ],
    also: ['/ads'],
  },
  {
    name: 'Watch',
    items: [
      { path: '/schedules', name: 'Schedules', needs: 'batches:read' },
      { path: '/changes', name: 'Changes', needs: 'batches:read' },
      { path: '/charts', name: 'Charts', needs: 'batches:read' },
    ],
    also: [],
  },
  { name: 'E-mail', items: [{ path: '/emails', name: 'Verdicts', needs: 'batches:read' }], also: [] },
  {
    name: 'Data',
    items: [
      { path: '/sql', name: 'SQL', needs: 'sql:read' },
      { path: '/mapping', name: 'Company mapping', needs: 'batches:read' },
      { path: '/inboxes', name: 'Inboxes', needs: 'batches:read' },
      { path: '/destinations', name: 'Destinations', needs: 'admin' },
      { path: '/docs', name: 'API reference', needs: 'batches:read', isOutside: true },
    ],
    also: [],
  },
  {
    name: 'Settings',
    items: [
      { path: '/account', name: 'Profile', needs: '' },
      { path: '/credits', name: 'Credits', needs: 'credits:read' },
      { path: '/sources', name: 'Sources', needs: 'batches:read' },
      { path: '/account/users', name: 'Users', needs: 'admin' },
      { path: '/account/keys', name: 'API keys', needs: 'admin' },
      { path: '/account/notifications', name: 'Notifications', needs: 'admin' },
      { path: '/account/audit', name: 'Audit log', needs: 'admin' },
      { path: '/operator/accounts', name: 'Accounts', needs: 'operator' },
    ],
    also: [],
  },
];

/** Finds the item whose page an address is, or is below: the longest match. */
export function itemAt(path: string, items: readonly NavItem[]): NavItem | undefined {
  return items
    .filter(({ path: to }) => isBelow(path, to))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** Finds the place of an address. */
export function placeAt(path: string): Place | undefined {
  return places.find(
    ({ items, also }) => itemAt(path, items) !== undefined || also.some((start) => isBelow(path, start)),
  );
}

function isBelow(path: string, to: string): boolean {
  return path === to || path.startsWith(`${to}/`);
}
