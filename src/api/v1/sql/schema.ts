import { z } from '@hono/zod-openapi';
import type { AccountLogin } from '../../../core/sql/account-logins.ts';
import type { QueryAnswer, QueryView } from '../../../core/sql/account-queries.ts';
import { text } from '../../http/text.ts';

/** Rows of an answer, our choice: more belongs into an export. */
const rowsMax = 10_000;
const rowsDefault = 1000;

export const queryRequest = z
  .strictObject({
    query: text().min(1).max(60_000).openapi({
      description: 'One statement that reads: SELECT, VALUES or WITH, in the SQL of Postgres.',
      example: 'select company_key, ads_count from lookups order by ads_count desc',
    }),
    limit: z
      .int()
      .min(1)
      .max(rowsMax)
      .default(rowsDefault)
      .openapi({ description: 'How many rows at most; what comes after them is not fetched.' }),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .openapi('QueryRequest');

const column = z.object({
  name: z.string(),
  type: z.string().openapi({ description: "Postgres' name for it.", example: 'timestamp with time zone' }),
});

export const queryAnswerBody = z
  .object({
    columns: z.array(column),
    rows: z.array(z.array(z.unknown())).openapi({
      description:
        'Arrays in the order of the columns. Numbers that JSON says exactly, truth values, null and JSON are themselves; all else is text as Postgres writes it, times in UTC.',
    }),
    cut_off: z.boolean().openapi({ description: 'There were more rows than `limit`.' }),
    limit: z.int(),
    elapsed_ms: z.int().openapi({ description: 'How long Postgres took.' }),
  })
  .openapi('QueryAnswer');

export function toQueryAnswerBody(answer: QueryAnswer, limit: number): z.infer<typeof queryAnswerBody> {
  return {
    columns: answer.columns.map(({ name, type }) => ({ name, type })),
    rows: answer.rows.map((row) => [...row]),
    cut_off: answer.isCutOff,
    limit,
    elapsed_ms: answer.elapsedMs,
  };
}

export const queryViewsBody = z
  .object({
    views: z.array(
      z.object({
        name: z.string(),
        parameters: z
          .string()
          .nullable()
          .openapi({ description: 'What a function takes, which is read like a view; null for a view.' }),
        comment: z.string().nullable(),
        columns: z.array(column.extend({ comment: z.string().nullable() })),
      }),
    ),
  })
  .openapi('QueryViews');

export function toQueryViewsBody(views: readonly QueryView[]): z.infer<typeof queryViewsBody> {
  return {
    views: views.map(({ name, parameters, comment, columns }) => ({
      name,
      parameters,
      comment,
      columns: columns.map((each) => ({ name: each.name, type: each.type, comment: each.comment })),
    })),
  };
}

export const sqlConnectionBody = z
  .object({
    ready: z.boolean().openapi({ description: 'Queries can be run over this API.' }),
    problem: z
      .string()
      .nullable()
      .openapi({ description: 'What stands in the way, for whoever runs the service.' }),
    login: z
      .object({
        role: z.string(),
        url: z.string().openapi({
          description: 'The connection string of the account, without its password.',
          example: 'postgres://nightshift_account_5f0c2a9b71de@db.example.com:5432/nightshift',
        }),
        created_at: z.iso.datetime(),
      })
      .nullable()
      .openapi({ description: "The account's own login to the database; null where none was made." }),
    is_local: z.boolean().openapi({
      description: 'The database takes connections from the machine that it runs on, and from nowhere else.',
    }),
    hint: z.string().openapi({ description: 'How a login, or a new password for it, is had.' }),
    operator_hint: z
      .string()
      .nullable()
      .openapi({ description: 'How the login that reads all accounts is had; for operators alone.' }),
  })
  .openapi('SqlConnection');

export interface SqlConnection {
  readonly problem: string | null;
  readonly login: AccountLogin | null;
  readonly isLocal: boolean;
  readonly hint: string;
  readonly operatorHint: string | null;
}

export function toSqlConnectionBody({
  problem,
  login,
  isLocal,
  hint,
  operatorHint,
}: SqlConnection): z.infer<typeof sqlConnectionBody> {
  return {
    ready: problem === null,
    problem,
    login:
      login === null
        ? null
        : { role: login.role, url: login.link, created_at: login.createdAt.toISOString() },
    is_local: isLocal,
    hint,
    operator_hint: operatorHint,
  };
}
