import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

/**
 * Searches the ads of one company on a Nightshift server, uploads a short batch, and waits for it.
 *
 *     NIGHTSHIFT_URL=http://127.0.0.1:3000 NIGHTSHIFT_API_KEY=ns_live_… npx tsx examples/typescript-client/search.ts
 */
const client = createClient<paths>({
  baseUrl: process.env['NIGHTSHIFT_URL'] ?? 'http://127.0.0.1:3000',
  headers: { 'X-API-Key': process.env['NIGHTSHIFT_API_KEY'] ?? '' },
});

const search = await client.POST('/v1/ads/google-ads-search', { body: { company_domain: 'nike.com' } });
if (search.error !== undefined) throw new Error(search.error.errors[0]?.title);
console.log(
  `${search.data.company_name}: ${search.data.ads_count} ads, ${search.data.credits_consumed} credits`,
);

const created = await client.POST('/v1/batches', {
  // The same key is the same batch, however often the request is repeated.
  params: { header: { 'Idempotency-Key': `example-${Date.now()}` } },
  body: { rows: [{ company_domain: 'ikea.com' }, { company_domain: 'spotify.com' }] },
});
if (created.error !== undefined) throw new Error(created.error.errors[0]?.title);
let batch = created.data;
while ('state' in batch && batch.state !== 'finished') {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { data, error } = await client.GET('/v1/batches/{id}', { params: { path: { id: batch.id } } });
  if (error !== undefined) throw new Error(error.errors[0]?.title);
  batch = data;
}
if ('lookups' in batch)
  console.log(`${batch.id}: ${batch.lookups.found} of ${batch.lookups.total} companies run ads`);
