import { useEffect } from 'preact/hooks';

/**
 * Follows server-sent events as long as the page is there. When the connection is lost, `onLost` is told, once, and it is for the page to
 * follow them again: a browser that does so by itself says to nobody that it cannot.
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
      source.close();
      onLost();
    });
    return () => source.close();
  }, [path]);
}
