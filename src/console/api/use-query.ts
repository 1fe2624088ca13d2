import { useLocation } from 'preact-iso';

/** Query parameters of the address, with a setter. Empty parameters are left out. */
export interface Query {
  readonly get: (name: string) => string;
  /** Changes some of it. The address is a new one in the history unless `replace`. */
  readonly set: (changes: Readonly<Record<string, string>>, options?: { readonly replace?: boolean }) => void;
  /** The address with some of it changed, for a link. */
  readonly hrefWith: (changes: Readonly<Record<string, string>>) => string;
  /** All of it, as text: a key for `useLoad` and `usePages`. */
  readonly text: string;
}

/** Filters and tabs stand in the address, so that it can be shared and reloaded. */
export function useQuery(): Query {
  const { url, path, route } = useLocation();
  const given = new URLSearchParams(new URL(url, location.origin).search);
  const hrefWith: Query['hrefWith'] = (changes) => {
    const next = new URLSearchParams(given);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    return text === '' ? path : `${path}?${text}`;
  };
  return {
    get: (name) => given.get(name) ?? '',
    set: (changes, { replace = false } = {}) => route(hrefWith(changes), replace),
    hrefWith,
    text: given.toString(),
  };
}
