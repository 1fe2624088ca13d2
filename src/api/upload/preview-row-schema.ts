import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../core/credits/credits.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';
import type { PreviewRow } from '../../producer/preview/preview-rows.ts';

/** Body of a row as it would be loaded. */
export const previewRow = z
  .object({
    row: z.int().openapi({ description: 'Number of the data row, from 1.' }),
    line: z.int().openapi({
      description: 'Line of the file on which the row begins, or row of the sheet or table, from 1.',
    }),
    cells: z.array(z.string()).openapi({ description: 'Cells of the row, in the order of `columns`.' }),
    becomes: z.enum(['taken', 'duplicate', 'rejected']).openapi({
      description:
        'How the row would be loaded. A `duplicate` names only what an earlier row names, and is free.',
    }),
    company_domain: z.string().nullable().openapi({ description: 'Domain of the company, normalised.' }),
    company_name: z.string().nullable(),
    email: z.string().nullable(),
    reason: z.string().nullable().openapi({ description: 'Reason for the rejection. Null for other rows.' }),
    warning: z
      .string()
      .nullable()
      .openapi({ description: 'Part of the row that is ignored, and why. Null without one.' }),
    same_as_line: z.int().nullable().openapi({
      description: 'Line of the first row that names the same company or address. Null without one.',
    }),
    brings: z.array(z.enum(operations)).openapi({ description: 'Lookups that the row adds.' }),
    credits: z.number().openapi({ description: 'Maximum cost of these lookups, in credits.' }),
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
