import { z } from '@hono/zod-openapi';
import type { RememberedColumns } from '../../../core/batches/saved-column-mapping.ts';
import type { HeaderProblem, ListColumns } from '../../../producer/columns/read-columns.ts';
import { columnKinds } from '../../upload/column-kinds-schema.ts';
import { rememberedBody, toRememberedBody } from '../../upload/check-schema.ts';
import { fileName, jsonRows, readingTexts } from '../../upload/schema.ts';

/** Reading options of a file before its columns are known. */
export const columnsOptions = z
  .strictObject({
    encoding: readingTexts.encoding,
    delimiter: readingTexts.delimiter,
    header: readingTexts.header,
    columns: readingTexts.columns,
    file_name: fileName.optional(),
  })
  .openapi('ColumnsOptions');
export type ColumnsOptions = z.infer<typeof columnsOptions>;

/** Rows in JSON have columns of their own: the names of their fields. */
export const columnsRequest = z
  .strictObject({ rows: jsonRows, file_name: fileName.optional() })
  .openapi('ColumnsRequest');
export type ColumnsRequest = z.infer<typeof columnsRequest>;

const problems = [
  'looks_like_data',
  'unnamed_column',
  'repeated_name',
] as const satisfies readonly HeaderProblem[];
const guess = z.array(z.string());
const takenColumn = z.object({ column: z.string(), because: z.enum(['name', 'values']) }).nullable();

/** The columns of a list, for a person who says which is which. */
export const listColumnsBody = z
  .object({
    encoding: z.string(),
    delimiter: z.string(),
    columns: z.array(
      z.object({
        name: z.string(),
        examples: z
          .array(z.string())
          .openapi({ description: 'Up to three cells of the first rows that are not empty.' }),
        looks_like: columnKinds,
      }),
    ),
    guesses: z.object({ company_domain: guess, company_name: guess, email: guess }).openapi({
      description:
        'The columns that may hold a field, going by their names and values, the most telling first.',
    }),
    taken: z.object({ company_domain: takenColumn, company_name: takenColumn, email: takenColumn }).openapi({
      description:
        'The columns that a field would be taken from without `map`; null where that is not certain.',
    }),
    problem: z
      .enum(problems)
      .nullable()
      .openapi({
        description: `What is wrong with the header. \`looks_like_data\`: send it with \`header=false\`, unless that is the header.
\`unnamed_column\`, \`repeated_name\`: \`columns\` are mended here; send it with \`columns=\` and these names.`,
      }),
    remembered: rememberedBody.nullable().openapi({
      description: 'Which columns the account used last for a list with the same ones; null for the first.',
    }),
  })
  .openapi('ListColumns');

export function toListColumnsBody(
  { encoding, delimiter, columns, guesses, taken, problem }: ListColumns,
  remembered: RememberedColumns | null,
): z.infer<typeof listColumnsBody> {
  return {
    encoding,
    delimiter,
    columns: columns.map(({ name, examples, looksLike }) => ({
      name,
      examples: [...examples],
      looks_like: looksLike,
    })),
    guesses: {
      company_domain: [...guesses.company_domain],
      company_name: [...guesses.company_name],
      email: [...guesses.email],
    },
    taken,
    problem,
    remembered: remembered === null ? null : toRememberedBody(remembered),
  };
}
