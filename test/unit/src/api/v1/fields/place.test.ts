import { describe, expect, test } from 'vitest';
import { destinationRequest } from '../../../../../../src/api/v1/destinations/schema.ts';
import { inboxRequest } from '../../../../../../src/api/v1/inboxes/terms-schema.ts';

const place = { name: 'lake', location: 's3://bucket/in' };

/** A text of this length that begins like an address. */
function addressOf(length: number): string {
  return 'https://s3.example.com/'.padEnd(length, 'x');
}

describe.each([
  ['an inbox', inboxRequest],
  ['a destination', destinationRequest],
])('body of %s', (_, schema) => {
  test.each(['location', 'endpoint'])('takes up to 2,000 characters of %s', (field) => {
    expect(schema.safeParse({ ...place, [field]: addressOf(2000) }).success).toBe(true);
    expect(schema.safeParse({ ...place, [field]: addressOf(2001) }).success).toBe(false);
  });

  test('has the other fields of a place with their bounds', () => {
    const fields = { s3_region: 'r'.repeat(40), host_key: 'k'.repeat(100), credentials: { token: 't' } };
    expect(schema.parse({ ...place, ...fields })).toMatchObject(fields);
    for (const wrong of [{ s3_region: 'r'.repeat(41) }, { host_key: 'k'.repeat(101) }]) {
      expect(schema.safeParse({ ...place, ...wrong }).success).toBe(false);
    }
    expect(schema.safeParse({ ...place, credentials: { token: 'a\0b' } }).success).toBe(false);
  });
});
