import { useLocation } from 'preact-iso';

/** Query parameters of the URL, with a setter. Omits empty parameters. */
export interface Query {
  readonly get: (name: string) => string;
  /** Changes some parameters. Adds an entry to the history unless `replace`. */
  readonly set: (changes: Readonly<Record<string, string>>, options?: { readonly replace?: boolean }) => void;
  /** URL with some parameters changed, for a link. */
  readonly hrefWith: (changes: Readonly<Record<string, string>>) => string;
  /** All parameters as text: a key for `useLoad` and `usePages`. */
  readonly text: string;
}

/** Reads and writes filters and tabs in the URL, which can be shared and reloaded. */
export function useQuery(): Query {
  const { url, path, route } = useLocation();
  const params = new URLSearchParams(new URL(url, location.origin).search);
  const hrefWith: Query['hrefWith'] = (changes) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    return text === '' ? path : `${path}?${text}`;
  };
  return {
    get: (name) => params.get(name) ?? '',
    set: (changes, { replace = false } = {}) => route(hrefWith(changes), replace),
    hrefWith,
    text: params.toString(),
  };
}
