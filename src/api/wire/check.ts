import { z } from '@hono/zod-openapi';
import type { CompanyCheck } from '../../producer/check-companies.ts';
import { operations } from '../../core/credits/price-book.ts';
import { creditsNumber } from '../../core/credits/credits.ts';

const count = z.int().min(0);
const remark = z.object({ line: z.int(), text: z.string() });

/** What would become of a list: the answer to `dry_run`. */
export const checkBody = z
  .object({
    encoding: z.string(),
    delimiter: z.string(),
    columns: z.array(z.string()).openapi({ description: 'The names of the list’s own columns.' }),
    fields: z.record(z.string(), z.string()).openapi({ description: 'Which column holds which field.' }),
    rows: z.object({ total: count, rejected: count, with_warnings: count, duplicates: count }),
    operations: z.array(z.enum(operations)).openapi({ description: 'What would be done with its rows.' }),
    companies: count.openapi({ description: 'Distinct companies: so many would be looked up.' }),
    addresses: count.openapi({ description: 'Distinct e-mail addresses: so many would be validated.' }),
    rejected: z.array(remark).openapi({ description: 'The first 100 rejected rows.' }),
    warnings: z.array(remark).openapi({ description: 'The first 100 rows with a warning.' }),
    credits: z
      .object({ floor: z.number(), ceiling: z.number() })
      .openapi({ description: 'What it would cost.' }),
  })
  .openapi('Check');

export function toCheckBody({
  form,
  rows,
  companies,
  addresses,
  ...found
}: CompanyCheck): z.infer<typeof checkBody> {
  const fields = Object.entries(form.fields).flatMap(([field, index]) =>
    index === null ? [] : [[field, form.header[index] ?? ''] as const],
  );
  return {
    encoding: form.encoding,
    delimiter: form.delimiter,
    columns: [...form.header],
    fields: Object.fromEntries(fields),
    rows: {
      total: rows.total,
      rejected: rows.rejected,
      with_warnings: rows.withWarnings,
      duplicates: rows.duplicates,
    },
    operations: [...form.operations],
    companies,
    addresses,
    rejected: found.rejected.map(toRemark),
    warnings: found.warnings.map(toRemark),
    credits: {
      floor: creditsNumber(found.costMicro.floor),
      ceiling: creditsNumber(found.costMicro.ceiling),
    },
  };
}

function toRemark({ lineNo, text }: { readonly lineNo: number; readonly text: string }) {
  return { line: lineNo, text };
}
