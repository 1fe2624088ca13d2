import { expect, test } from 'vitest';
import { createPageLoader, type LoadedPages, type Page } from '../../../../../src/console/api/page-loader.ts';
import { RequestError } from '../../../../../src/console/api/request-error.ts';

/** A list of numbers, newest first, in pages of 2 (large ones of 4), whose requests the test answers. */
function openList() {
  let items = [5, 4, 3, 2, 1];
  const waiting: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
  const requests: string[] = [];
  const states: LoadedPages<number>[] = [];
  const loader = createPageLoader<number>(
    (after, signal, isLarge) =>
      new Promise<Page<number>>((resolve, reject) => {
        requests.push(`${after ?? 'first'}${isLarge ? ' large' : ''}`);
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        const answer = () => {
          const rest = items.filter((item) => after === undefined || item < Number(after));
          const page = rest.slice(0, isLarge ? 4 : 2);
          resolve({ items: page, next: rest.length > page.length ? String(page.at(-1)) : null });
        };
        waiting.push({ answer, fail: reject });
      }),
    (state) => states.push(state),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    loader,
    requests,
    add: (item: number) => (items = [item, ...items]),
    /** Answers the newest request. */
    answer: async () => {
      waiting.at(-1)?.answer();
      await settle();
    },
    fail: async (error: Error) => {
      waiting.at(-1)?.fail(error);
      await settle();
    },
    shown: () => states.at(-1)?.items,
    state: () => states.at(-1),
  };
}

const unreachable = new RequestError('away', { code: 'unreachable', status: 0, requestId: null });

test('a refresh loads the loaded items again, without a loading state', async () => {
  const { loader, requests, add, answer, shown, state } = openList();
  loader.load();
  await answer();
  loader.more();
  await answer();
  expect(shown()).toEqual([5, 4, 3, 2]);
  add(6);
  void loader.refresh();
  expect(state()?.isLoading).toBe(false);
  await answer();
  await answer();
  expect(shown()).toEqual([6, 5, 4, 3, 2, 1]);
  expect(requests).toEqual(['first', '4', 'first', '5 large']);
});

test('a change during a load refreshes the list once the load has ended', async () => {
  const { loader, requests, add, answer, shown } = openList();
  loader.load();
  void loader.refresh();
  void loader.refresh();
  expect(requests).toEqual(['first']);
  await answer();
  expect([requests.length, shown()]).toEqual([2, [5, 4]]);
  add(6);
  await answer();
  expect([requests.length, shown()]).toEqual([2, [6, 5]]);
});

test('a refresh gives way to the next page, and follows it', async () => {
  const { loader, requests, add, answer, shown } = openList();
  loader.load();
  await answer();
  add(6);
  void loader.refresh();
  loader.more();
  await answer();
  expect(shown()).toEqual([5, 4, 3, 2]);
  await answer();
  await answer();
  expect(shown()).toEqual([6, 5, 4, 3, 2, 1]);
  expect(requests).toEqual(['first', 'first', '4', 'first', '5 large']);
});

test('what fails without a server keeps the items, and a retry repeats it', async () => {
  const { loader, requests, answer, fail, shown, state } = openList();
  loader.load();
  await fail(unreachable);
  expect(state()).toMatchObject({ isLoaded: false, isLoading: false, error: { code: 'unreachable' } });
  // A refresh waits for the server, too.
  await loader.refresh();
  expect(requests).toEqual(['first']);
  loader.retry();
  await answer();
  loader.more();
  await fail(unreachable);
  expect(shown()).toEqual([5, 4]);
  loader.retry();
  await answer();
  expect([shown(), state()?.error]).toEqual([[5, 4, 3, 2], undefined]);
  void loader.refresh();
  await fail(unreachable);
  expect([shown(), state()?.error?.code]).toEqual([[5, 4, 3, 2], 'unreachable']);
  loader.retry();
  await answer();
  await answer();
  expect([shown(), state()?.error]).toEqual([[5, 4, 3, 2, 1], undefined]);
});

test('all pages are loaded in turn, and a stop ends them', async () => {
  const { loader, requests, answer, shown, state } = openList();
  loader.load();
  await answer();
  loader.all();
  await answer();
  expect([shown(), state()?.isLoading]).toEqual([[5, 4, 3, 2, 1], false]);
  loader.load();
  loader.stop();
  await answer();
  expect(requests).toEqual(['first', '4 large', 'first']);
  expect(shown()).toEqual([5, 4, 3, 2, 1]);
});

test('a list of more than 1000 loaded items stays as it is', async () => {
  let requests = 0;
  const loader = createPageLoader<number>(
    async () => {
      requests += 1;
      return { items: Array.from({ length: 1001 }, (_, i) => i), next: null };
    },
    () => undefined,
  );
  loader.load();
  await new Promise((resolve) => setImmediate(resolve));
  await loader.refresh();
  expect(requests).toBe(1);
});
