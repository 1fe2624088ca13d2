import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

test('a user is added with a link, changes role, is signed out, disabled and enabled', async () => {
  await cli().ask(['accounts', 'add', 'sales']);
  const added = await cli().ask([
    'users',
    'add',
    'Jane@Example.com',
    '--account',
    'sales',
    '--role',
    'viewer',
  ]);
  expect(added).toMatchObject({
    login: 'jane@example.com',
    account: 'sales',
    role: 'viewer',
    password: false,
  });
  expect(added).toHaveProperty(
    'link',
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#[\w-]{43}$/),
  );
  expect(await cli().ask(['users', 'link', 'jane@example.com'])).not.toEqual(added);
  expect(await cli().ask(['users', 'role', 'JANE@example.com', 'admin'])).toMatchObject({ role: 'admin' });
  expect(await cli().ask(['users', 'sign-out', 'jane@example.com'])).toEqual({
    login: 'jane@example.com',
    ended: 0,
  });
  const disabled = (await cli().ask(['users', 'disable', 'jane@example.com'])) as {
    disabled: string | null;
  };
  expect(disabled.disabled).not.toBeNull();
  const refused = await cli().run(['users', 'link', 'jane@example.com']);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('no user jane@example.com who may sign in'),
  ]);
  expect(await cli().ask(['users', 'enable', 'jane@example.com'])).toMatchObject({ disabled: null });
  expect(await cli().ask(['users'])).toMatchObject([
    { login: 'jane@example.com', role: 'admin', last_sign_in: null },
  ]);
});

test.each([
  [['users', 'add', 'two words'], 'Invalid login "two words"'],
  [
    ['users', 'add', 'x@example.com', '--role', 'king'],
    'Unknown role "king". Known roles: viewer, member, admin, operator',
  ],
  [['users', 'add', 'x@example.com', '--minutes', '0'], '--minutes 0'],
  [['users', 'add', 'x@example.com', '--account', 'nowhere'], 'no account "nowhere"'],
  [['users', 'role', 'unknown@example.com', 'admin'], 'no user unknown@example.com'],
])('%j is rejected with a remedy, and adds no user', async (args, words) => {
  const { exitCode, stderr } = await cli().run(args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(JSON.stringify(await cli().ask(['users']))).not.toContain('x@example.com');
});

test('a login is unique', async () => {
  await cli().ask(['users', 'add', 'once@example.com']);
  const { exitCode, stderr } = await cli().run(['users', 'add', 'ONCE@example.com']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('There is a user ONCE@example.com already'),
  ]);
});
