import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listOf, openTestInboxes } from '../../support/inboxes/test-inboxes.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';

test('new content at a web address is a new batch, and the same content is not', async () => {
  let content = listOf('a');
  let isUp = true;
  const server = await listenOnLoopback(
    createServer((_request, response) => {
      if (isUp) response.setHeader('ETag', `"${content.length}"`).end(content);
      else response.writeHead(503).end();
    }),
  );
  onTestFinished(() => server.close());
  const api = await openTestInboxes({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: new URL(server.url).host } });
  await api.add({ location: { kind: 'https', url: `${server.url}/lists/leads.csv?token=hunter2` } });
  await api.look();
  await api.look();
  expect((await api.batches()).map(({ fileName }) => fileName)).toEqual(['leads.csv']);
  content = listOf('another');
  await api.look();
  expect((await api.files()).map(({ state }) => state)).toEqual(['loaded', 'loaded']);
  isUp = false;
  const failing = await api.look();
  expect(failing.lastError).not.toBeNull();
  expect(failing.lastError).not.toContain('hunter2');
  expect(await api.batches()).toHaveLength(2);
  expect(await api.findings()).toEqual([]);
});
