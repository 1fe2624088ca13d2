import { z } from '@hono/zod-openapi';
import { batchStates } from '../../core/batches/batch.ts';
import type { EarlierBatch, RememberedColumns } from '../../core/batches/saved-column-mapping.ts';
import { creditsNumber } from '../../core/credits/credits.ts';
import { operations } from '../../core/credits/price-book.ts';
import type { CompanyCheck } from '../../producer/preview/check-companies.ts';
import { choicesOf } from '../../producer/columns/column-choice.ts';
import { companyFields } from '../../producer/columns/company-file.ts';
import { columnKinds } from './column-kinds-schema.ts';
import { estimateBody, toEstimateBody, type EstimateInfo } from './estimate-schema.ts';
import { previewRow, toPreviewRow } from './preview-row-schema.ts';

const count = z.int().min(0);
const remark = z.object({ line: z.int(), text: z.string() });

/** Columns that an earlier list of the account had. */
export const rememberedBody = z
  .object({
    fields: z
      .record(z.string(), z.string())
      .openapi({ description: 'Which column held which field. A field that is missing was in none.' }),
    batch: z.string(),
    file_name: z.string(),
    at: z.iso.datetime(),
  })
  .openapi('RememberedColumns');

/** A batch of the same file. */
const earlierBatchBody = z
  .object({
    batch: z.string(),
    file_name: z.string(),
    at: z.iso.datetime(),
    state: z.enum(batchStates),
    charged: z.number().openapi({ description: 'What it cost so far, in credits.' }),
  })
  .openapi('EarlierBatch');

/** A column that holds no field. */
const unusedColumn = z.object({
  column: z.string(),
  looks_like: columnKinds,
  examples: z.array(z.string()),
  could_be: z.enum(companyFields).nullable().openapi({
    description: 'The field that it may hold, where no column is taken for that: `map` says so.',
  }),
});

/** Body of a check: the answer to `dry_run`. */
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
    credits: estimateBody,
    preview: z.array(previewRow).openapi({ description: 'What would become of the first 20 data rows.' }),
    rejected_by_reason: z
      .array(z.object({ reason: z.string(), rows: count }))
      .openapi({ description: 'All rejected rows by reason, the most frequent first.' }),
    repeated: z
      .array(z.object({ text: z.string(), operation: z.enum(operations), rows: count, first_line: z.int() }))
      .openapi({ description: 'The 20 companies and addresses that most rows name, where several do.' }),
    choices: z
      .array(
        z.object({
          field: z.enum(companyFields),
          column: z.string().nullable(),
          because: z.enum(['map', 'name', 'values']).nullable().openapi({
            description:
              '`map`: it was said; `name`: by the name of the column; `values`: by its cells; null: no column holds it.',
          }),
          others: z.array(z.string()).openapi({ description: 'Columns that may hold it as well.' }),
        }),
      )
      .openapi({ description: 'How the columns were understood.' }),
    unused: z.array(unusedColumn).openapi({
      description: 'The columns that no field is taken from, and what their first rows look like.',
    }),
    headerless: z.boolean().openapi({
      description: 'The first line was read as data, because it was said or because it looks like it.',
    }),
    remembered: rememberedBody.nullable().openapi({
      description: 'Which columns the account used last for a list with the same ones; null for the first.',
    }),
    earlier: earlierBatchBody.nullable().openapi({
      description:
        'The newest batch of the account that was made of the same file in the same way, with the same sources: another one is charged again, unless `max_age` lets its answers count. Null when there is none.',
    }),
    sources: z.array(z.string()).nullable().openapi({
      description:
        'Where companies would be looked up, in order; null where no source is set up yet, so that the list would not be taken.',
    }),
  })
  .openapi('Check');

/** Data beside the file. */
export interface CheckInfo extends EstimateInfo {
  readonly remembered: RememberedColumns | null;
  readonly earlier: EarlierBatch | null;
  readonly sources: readonly string[] | null;
}

export function toCheckBody(
  { form, rows, companies, addresses, ...found }: CompanyCheck,
  data: CheckInfo,
): z.infer<typeof checkBody> {
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
    credits: toEstimateBody(found.withinLimit.lookups, form.operations, data),
    preview: found.preview.map((row) => toPreviewRow(row, data.pricesMicro)),
    rejected_by_reason: found.rejectedByReason.map(({ text, rows: count }) => ({
      reason: text,
      rows: count,
    })),
    repeated: found.repeated.map(({ firstLineNo, ...subject }) => ({ ...subject, first_line: firstLineNo })),
    choices: choicesOf(form).map(({ others, ...choice }) => ({ ...choice, others: [...others] })),
    unused: form.unused.map(({ name, looksLike, examples, couldBe }) => ({
      column: name,
      looks_like: looksLike,
      examples: [...examples],
      could_be: couldBe,
    })),
    headerless: form.headerless,
    remembered: data.remembered === null ? null : toRememberedBody(data.remembered),
    earlier: data.earlier === null ? null : toEarlierBody(data.earlier),
    sources: data.sources === null ? null : [...data.sources],
  };
}

export function toRememberedBody({
  fields,
  batch,
  fileName,
  createdAt,
}: RememberedColumns): z.infer<typeof rememberedBody> {
  return { fields: { ...fields }, batch, file_name: fileName, at: createdAt.toISOString() };
}

function toEarlierBody({
  batch,
  fileName,
  createdAt,
  state,
  chargedMicro,
}: EarlierBatch): z.infer<typeof earlierBatchBody> {
  const at = createdAt.toISOString();
  return { batch, file_name: fileName, at, state, charged: creditsNumber(chargedMicro) };
}

function toRemark({ lineNo, text }: { readonly lineNo: number; readonly text: string }) {
  return { line: lineNo, text };
}
