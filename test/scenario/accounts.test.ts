import { expect, test } from 'vitest';
import { useDesk } from '../support/desk.ts';

const desk = useDesk({ inProcess: true });

test('what is done for an account is done for that one, also by a command below another that takes the option', async () => {
  await desk().ask(['accounts', 'add', 'sales']);
  const before = await desk().ask(['credits']);
  await desk().ask(['credits', 'grant', '7', '--account', 'sales', '--reason', 'test']);
  expect(await desk().ask(['credits', '--account', 'sales'])).toMatchObject({ balance: 7 });
  expect(await desk().ask(['credits'])).toEqual(before);
  const { id } = (await desk().ask(['keys', 'create', '--account', 'sales'])) as { id: string };
  expect(await desk().ask(['keys'])).toEqual([]);
  expect(await desk().ask(['keys', '--account', 'sales'])).toMatchObject([{ id }]);
  await desk().ask(['keys', 'revoke', id, '--account', 'sales']);
});
