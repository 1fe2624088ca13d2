import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';
import { expect, test } from 'vitest';
import { toLoggedError } from '../../../../src/core/logged-error.ts';
import { ValidationError } from '../../../../src/core/errors.ts';

const cell = 'Geheim "GmbH", Köln\n    at Home';

function fromPostgres(message: string, fields: object): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), fields);
}

test.each([
  [
    'the parameters of a statement',
    new DrizzleQueryError('SELECT $1', [cell], fromPostgres('boom', { severity: 'ERROR', code: '42601' })),
  ],
  [
    'a value that Postgres quotes',
    fromPostgres(`invalid input syntax for type json: "${cell}"`, { severity: 'ERROR', code: '22P02' }),
  ],
  [
    'the details of a constraint and the line of a COPY',
    fromPostgres('duplicate key value violates unique constraint "rows_pkey"', {
      severity: 'ERROR',
      code: '23505',
      detail: `Key (name)=(${cell}) already exists.`,
      where: `COPY batch_rows, line 3, column cells: "${cell}"`,
    }),
  ],
  ['the text of a JSON syntax error', thrownBy(() => JSON.parse(`"${cell}`))],
  ['the record of a parser', Object.assign(new Error('Invalid Record'), { record: [cell], column: cell })],
])('a logged error does not contain %s, even as a cause', (_what, error) => {
  for (const each of [error, new Error('A store failed.', { cause: error })]) {
    const reported = JSON.stringify(toLoggedError(each));
    expect(reported).not.toContain('Geheim');
    expect(reported).not.toContain('Home');
  }
});

test('a logged error contains the message, code and stack of every cause', () => {
  const cause = fromPostgres('duplicate key value violates unique constraint "rows_pkey"', {
    severity: 'ERROR',
    code: '23505',
    constraint: 'rows_pkey',
  });
  const reported = toLoggedError(new DrizzleQueryError('INSERT INTO rows VALUES ($1)', ['x'], cause));
  expect(reported).toMatchObject({
    type: 'DrizzleQueryError',
    message:
      'Failed query: INSERT INTO rows VALUES ($1): duplicate key value violates unique constraint "rows_pkey"',
    code: '23505',
    constraint: 'rows_pkey',
  });
  expect(reported.stack.match(/logged-error\.test\.ts/g)?.length).toBeGreaterThanOrEqual(2);
  expect(reported.stack).toContain('caused by: DatabaseError: duplicate key');
});

test('a logged error contains the whole message of an application error', () => {
  expect(toLoggedError(new ValidationError('list.csv: It is empty.')).message).toBe('list.csv: It is empty.');
});

test.each([
  ['text', 'text'],
  [undefined, ''],
  [{ a: cell }, 'thrown object'],
])('a logged error has a short message for a thrown value that is not an error: %j', (thrown, message) => {
  expect(toLoggedError(thrown).message).toBe(message);
});

test('a logged error ends a cycle of causes', () => {
  const error = new Error('one');
  error.cause = new Error('two', { cause: error });
  expect(toLoggedError(error).message).toBe('one: two');
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
