import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

test('who is opted out is listed without being named, and left alone', async () => {
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

test('what is neither a domain nor an address adds nobody', async () => {
  const { exitCode, stderr } = await cli().run(['opt-outs', 'add', 'other.com', 'no domain']);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/"no domain" is no domain/);
  expect(await cli().ask(['opt-outs'])).not.toContainEqual(expect.objectContaining({ domain: 'other.com' }));
});

test('who is forgotten is opted out', async () => {
  await cli().ask(['forget', 'gone@acme.com']);
  expect(await cli().ask(['opt-outs', 'remove', 'gone@acme.com'])).toEqual({ removed: 1, unknown: 0 });
});
