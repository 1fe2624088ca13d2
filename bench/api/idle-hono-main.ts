import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** Hono without work: accepts a search and always returns the same text, with the length of a typical answer. */
const text = process.argv[2] ?? '{}';
const app = new Hono();
app.post('/v1/ads/google-ads-search', async (c) => {
  await c.req.json();
  return c.body(text, 200, { 'Content-Type': 'application/json' });
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.send?.(`http://127.0.0.1:${port}`);
});
process.on('disconnect', () => process.exit(0));
