import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../core/credits/credits.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';
import type { PreviewRow } from '../../producer/preview/preview-rows.ts';

/** Body of a row as it would be loaded. */
export const previewRow = z
  .object({
    row: z.int().openapi({ description: 'Counts data rows, from 1.' }),
    line: z.int().openapi({ description: 'The line of the file where the row begins, from 1.' }),
    cells: z.array(z.string()).openapi({ description: 'The row’s own cells, in the order of `columns`.' }),
    becomes: z.enum(['taken', 'duplicate', 'rejected']).openapi({
      description: 'A `duplicate` names nothing that a row before does not name; it costs nothing.',
    }),
    company_domain: z.string().nullable().openapi({ description: 'As it was understood.' }),
    company_name: z.string().nullable(),
    email: z.string().nullable(),
    reason: z.string().nullable().openapi({ description: 'Why it is rejected.' }),
    warning: z.string().nullable().openapi({ description: 'What of it is set aside.' }),
    same_as_line: z
      .int()
      .nullable()
      .openapi({ description: 'The line of the first row that names what this one names again.' }),
    brings: z.array(z.enum(operations)).openapi({ description: 'The lookups that it brings in.' }),
    credits: z.number().openapi({ description: 'What they cost at most.' }),
  })
  .openapi('PreviewRow');

export function toPreviewRow(
  row: PreviewRow,
  pricesMicro: Readonly<Record<Operation, bigint>>,
): z.infer<typeof previewRow> {
  return {
    row: row.rowNo,
    line: row.lineNo,
    cells: [...row.cells],
    becomes: row.becomes,
    company_domain: row.companyDomain,
    company_name: row.companyName,
    email: row.email,
    reason: row.reason,
    warning: row.warning,
    same_as_line: row.firstLineNo,
    brings: [...row.brings],
    credits: creditsNumber(row.brings.reduce((sum, operation) => sum + pricesMicro[operation], 0n)),
  };
}
