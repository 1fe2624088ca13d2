import { useEffect, useRef, useState } from 'preact/hooks';
import { asError, type Failure } from './request-error.ts';
import { useRetry } from './use-retry.ts';

/** A page of a list, and what to ask for to go on. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A list as far as it was asked for. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  /** The first page is there. */
  readonly isThere: boolean;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly failure: Failure | undefined;
  /** Asks for the next page. */
  readonly more: () => void;
  /** Begins anew with the first page. */
  readonly reload: () => void;
}

/**
 * A list that is asked for page by page, by keys: what comes in meanwhile shifts nothing.
 *
 * @param key what the list depends on, as text; when it changes, the list begins anew.
 */
export function usePages<Item>(
  key: string,
  ask: (after: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
): Pages<Item> {
  const [state, setState] = useState<State<Item>>(nothingYet);
  const [round, setRound] = useState(0);
  const leaving = useRef(new AbortController());

  function load(after: string | undefined, before: readonly Item[]): void {
    const { signal } = leaving.current;
    // Said until there is an answer: a server that is away is asked again and again.
    setState((state) => ({ ...state, isLoading: true }));
    ask(after, signal).then(
      ({ items, next }) => {
        if (!signal.aborted) {
          setState({
            items: [...before, ...items],
            next,
            isThere: true,
            isLoading: false,
            failure: undefined,
          });
        }
      },
      (thrown: unknown) => {
        if (!signal.aborted) setState((state) => ({ ...state, isLoading: false, failure: asError(thrown) }));
      },
    );
  }

  useEffect(() => {
    leaving.current = new AbortController();
    load(undefined, []);
    return () => leaving.current.abort();
  }, [key, round]);

  const reload = () => setRound((n) => n + 1);
  // A page that follows is asked for by hand: the list would begin anew.
  useRetry(state.isThere ? undefined : state.failure, reload);

  return {
    ...state,
    hasMore: state.next !== null,
    more: () => load(state.next ?? undefined, state.items),
    reload,
  };
}

interface State<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly isThere: boolean;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

const nothingYet = { items: [], next: null, isThere: false, isLoading: true, failure: undefined };
