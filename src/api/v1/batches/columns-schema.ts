import { z } from '@hono/zod-openapi';
import type { RememberedColumns } from '../../../core/batches/saved-column-mapping.ts';
import type { HeaderProblem, ListColumns } from '../../../producer/columns/read-columns.ts';
import { columnKinds } from '../../upload/column-kinds-schema.ts';
import { rememberedBody, toRememberedBody } from '../../upload/check-schema.ts';
import { formatBody, toFormatBody } from '../../upload/format-schema.ts';
import { fileName, jsonRows, readingTexts } from '../../upload/schema.ts';

/** Reading options of a file before its columns are known. */
export const columnsOptions = z
  .strictObject({
    encoding: readingTexts.encoding,
    delimiter: readingTexts.delimiter,
    quote: readingTexts.quote,
    escape: readingTexts.escape,
    sheet: readingTexts.sheet,
    skip_lines: readingTexts.skip_lines,
    strict: readingTexts.strict,
    header: readingTexts.header,
    columns: readingTexts.columns,
    file_name: fileName.optional(),
  })
  .openapi('ColumnsOptions');
export type ColumnsOptions = z.infer<typeof columnsOptions>;

/** Request with rows in JSON. Their columns are the names of their fields. */
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

/** Body of the columns of a file, for mapping them to fields. */
export const listColumnsBody = z
  .object({
    format: formatBody.format,
    sheet: formatBody.sheet,
    sheets: formatBody.sheets,
    encoding: formatBody.encoding,
    delimiter: formatBody.delimiter,
    lines_above: z
      .int()
      .min(0)
      .openapi({ description: 'Number of lines or rows above the header that are left out.' }),
    columns: z.array(
      z.object({
        name: z.string(),
        examples: z
          .array(z.string())
          .openapi({ description: 'Up to three non-empty cells of the first rows.' }),
        looks_like: columnKinds,
      }),
    ),
    guesses: z.object({ company_domain: guess, company_name: guess, email: guess }).openapi({
      description: 'Columns that may hold each field, by their names and values, the best match first.',
    }),
    taken: z.object({ company_domain: takenColumn, company_name: takenColumn, email: takenColumn }).openapi({
      description:
        'The column that an upload without `map` would use for each field. Null if that is ambiguous.',
    }),
    problem: z
      .enum(problems)
      .nullable()
      .openapi({
        description: `Problem of the header; null without one. \`looks_like_data\`: upload the file with \`header=false\`, unless the first line is the header.
\`unnamed_column\`, \`repeated_name\`: \`columns\` has the names that an upload gives to these columns.`,
      }),
    remembered: rememberedBody.nullable().openapi({
      description:
        'The mapping that the account used last for a file with the same columns. Null if there is none.',
    }),
  })
  .openapi('ListColumns');

export function toListColumnsBody(
  { columns, guesses, taken, problem, linesAbove, ...form }: ListColumns,
  remembered: RememberedColumns | null,
): z.infer<typeof listColumnsBody> {
  return {
    ...toFormatBody(form),
    lines_above: linesAbove,
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
