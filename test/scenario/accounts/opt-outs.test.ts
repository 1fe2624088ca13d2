import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

test('an opt-out is listed without the address, and is not looked up', async () => {
  expect(await cli().ask(['opt-outs', 'add', 'Private.com', 'shy@acme.com', 'private.com'])).toEqual({
    added: 2,
    known: 1,
  });
  expect(await cli().ask(['opt-outs'])).toMatchObject([
    { kind: 'domain', domain: 'private.com' },
    { kind: 'person', digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  ]);
  const { stdout } = await cli().run(['opt-outs']);
  expect(stdout).toContain('private.com');
  expect(stdout).not.toContain('shy');
  expect(await cli().ask(['opt-outs', 'remove', 'private.com', 'gone.com'])).toEqual({
    removed: 1,
    unknown: 1,
  });
});

test('an invalid domain or address adds no opt-out', async () => {
  const { exitCode, stderr } = await cli().run(['opt-outs', 'add', 'other.com', 'no domain']);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/"no domain" is no domain/);
  expect(await cli().ask(['opt-outs'])).not.toContainEqual(expect.objectContaining({ domain: 'other.com' }));
});

test('an erased person is opted out', async () => {
  await cli().ask(['erase', 'gone@acme.com']);
  expect(await cli().ask(['opt-outs', 'remove', 'gone@acme.com'])).toEqual({ removed: 1, unknown: 0 });
});
