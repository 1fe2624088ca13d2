import { useEffect } from 'preact/hooks';

/**
 * Follows server-sent events as long as the page is there. A connection that is lost is made again by the browser, which says which event
 * came last, so that nothing is missed; where it gives up, `onLost` is told, once.
 *
 * @param path null: nothing is to be followed.
 */
export function useEvents(
  path: string | null,
  {
    names,
    onEvent,
    onLost,
  }: {
    readonly names: readonly string[];
    readonly onEvent: (name: string, data: unknown) => void;
    readonly onLost: () => void;
  },
): void {
  useEffect(() => {
    if (path === null) return;
    const source = new EventSource(path);
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => onEvent(name, JSON.parse(data)));
    }
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) onLost();
    });
    return () => source.close();
  }, [path]);
}
