import { z } from '@hono/zod-openapi';
import type { AccountLogin } from '../../../core/sql/account-logins.ts';
import type { QueryAnswer, QueryView } from '../../../core/sql/account-queries.ts';
import { text } from '../../http/text.ts';

/** Maximum number of rows in a result: our choice. Use an export for more. */
const rowsMax = 10_000;
const rowsDefault = 1000;

export const queryRequest = z
  .strictObject({
    query: text().min(1).max(60_000).openapi({
      description: 'One reading statement in the SQL of Postgres: SELECT, VALUES or WITH.',
      example: 'select company_key, ads_count from lookups order by ads_count desc',
    }),
    limit: z
      .int()
      .min(1)
      .max(rowsMax)
      .default(rowsDefault)
      .openapi({ description: 'Maximum number of rows to return. Further rows are not fetched.' }),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .openapi('QueryRequest');

const column = z.object({
  name: z.string(),
  type: z
    .string()
    .openapi({ description: 'Name of the type in Postgres.', example: 'timestamp with time zone' }),
});

export const queryAnswerBody = z
  .object({
    columns: z.array(column),
    rows: z.array(z.array(z.unknown())).openapi({
      description:
        'Rows as arrays in the order of the columns. Numbers that JSON represents exactly, booleans, null and JSON values keep their type. All other values are text in the format of Postgres, with times in UTC.',
    }),
    cut_off: z.boolean().openapi({ description: 'True if there are more rows than `limit`.' }),
    limit: z.int(),
    elapsed_ms: z.int().openapi({ description: 'Execution time in Postgres, in milliseconds.' }),
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
        parameters: z.string().nullable().openapi({
          description: 'Parameters of a function, which is queried like a view. Null for a view.',
        }),
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
    ready: z.boolean().openapi({ description: 'True if queries can be run over this API.' }),
    problem: z
      .string()
      .nullable()
      .openapi({ description: 'Problem that the operator has to fix. Null if queries can be run.' }),
    login: z
      .object({
        role: z.string(),
        url: z.string().openapi({
          description: 'Connection string of the account, without its password.',
          example: 'postgres://nightshift_account_5f0c2a9b71de@db.example.com:5432/nightshift',
        }),
        created_at: z.iso.datetime(),
      })
      .nullable()
      .openapi({ description: 'Database login of the account. Null if there is none.' }),
    is_local: z.boolean().openapi({
      description: 'True if the database accepts connections only from its own machine.',
    }),
    hint: z.string().openapi({ description: 'How to get a login, or a new password for it.' }),
    operator_hint: z.string().nullable().openapi({
      description: 'How to get the login for all accounts. Null for callers who are not operators.',
    }),
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
