import { useEffect } from 'preact/hooks';

/**
 * Subscribes to server-sent events while the component is mounted. A lost connection calls `onLost` once, and the caller reconnects:
 * browsers that reconnect on their own do not report failures.
 *
 * @param path null: no subscription.
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
