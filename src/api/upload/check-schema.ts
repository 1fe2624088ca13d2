import { z } from '@hono/zod-openapi';
import { batchStates } from '../../core/batches/batch.ts';
import type { EarlierBatch, RememberedColumns } from '../../core/batches/saved-column-mapping.ts';
import { creditsNumber } from '../../core/credits/credits.ts';
import { operations } from '../../core/credits/price-book.ts';
import type { CompanyCheck } from '../../producer/preview/check-companies.ts';
import { choicesOf } from '../../producer/columns/column-choice.ts';
import { companyFields } from '../../producer/columns/company-file.ts';
import { columnKinds } from './column-kinds-schema.ts';
import { inHttpTerms } from './to-http-error.ts';
import { estimateBody, toEstimateBody, type EstimateInfo } from './estimate-schema.ts';
import { formatBody, toFormatBody } from './format-schema.ts';
import { previewRow, toPreviewRow } from './preview-row-schema.ts';

const count = z.int().min(0);
const remark = z.object({ line: z.int(), text: z.string() });

/** Columns that the account mapped in an earlier file. */
export const rememberedBody = z
  .object({
    fields: z
      .record(z.string(), z.string())
      .openapi({ description: 'Mapping of fields to columns. A field without a column is absent.' }),
    batch: z.string(),
    file_name: z.string(),
    at: z.iso.datetime(),
  })
  .openapi('RememberedColumns');

/** Earlier batch of the same file. */
const earlierBatchBody = z
  .object({
    batch: z.string(),
    file_name: z.string(),
    at: z.iso.datetime(),
    state: z.enum(batchStates),
    charged: z.number().openapi({ description: 'Credits charged so far.' }),
  })
  .openapi('EarlierBatch');

/** A column that is not mapped to a field. */
const unusedColumn = z.object({
  column: z.string(),
  looks_like: columnKinds,
  examples: z.array(z.string()),
  could_be: z.enum(companyFields).nullable().openapi({
    description:
      'A field without a column that this column may hold. Map it with `map`. Null if there is none.',
  }),
});

/** Body of the response to `dry_run`. */
export const checkBody = z
  .object({
    ...formatBody,
    containers: z
      .array(z.enum(['gzip', 'zip']))
      .openapi({ description: 'Archives around the file, the outermost first.' }),
    quote: z
      .string()
      .nullable()
      .openapi({ description: 'Character that encloses cells. Null for another format than CSV.' }),
    escape: z.string().nullable().openapi({
      description: 'Character before a quote in a quoted cell. Null for another format than CSV.',
    }),
    lines_above: count.openapi({
      description: 'Number of lines or rows above the header that are left out.',
    }),
    findings: z.array(z.string()).openapi({
      description: 'Remarks about the whole file that need a decision, with the parameters for it.',
    }),
    columns: z.array(z.string()).openapi({ description: 'Names of the columns of the file.' }),
    fields: z.record(z.string(), z.string()).openapi({ description: 'Mapping of fields to columns.' }),
    rows: z.object({ total: count, rejected: count, with_warnings: count, duplicates: count }),
    operations: z.array(z.enum(operations)).openapi({ description: 'Operations to run on each row.' }),
    companies: count.openapi({ description: 'Number of distinct companies to look up.' }),
    addresses: count.openapi({ description: 'Number of distinct e-mail addresses to validate.' }),
    rejected: z.array(remark).openapi({ description: 'The first 100 rejected rows.' }),
    warnings: z.array(remark).openapi({ description: 'The first 100 rows with a warning.' }),
    credits: estimateBody,
    preview: z.array(previewRow).openapi({ description: 'The first 20 data rows, as they would be loaded.' }),
    rejected_by_reason: z
      .array(z.object({ reason: z.string(), rows: count }))
      .openapi({ description: 'Number of rejected rows by reason, the most frequent first.' }),
    repeated: z
      .array(z.object({ text: z.string(), operation: z.enum(operations), rows: count, first_line: z.int() }))
      .openapi({ description: 'Companies and addresses that several rows name: the 20 with the most rows.' }),
    choices: z
      .array(
        z.object({
          field: z.enum(companyFields),
          column: z.string().nullable(),
          because: z.enum(['map', 'name', 'values']).nullable().openapi({
            description:
              'How the column was chosen: `map` by the request, `name` by the name of the column, `values` by its cells. Null if no column holds the field.',
          }),
          others: z.array(z.string()).openapi({ description: 'Other columns that may hold the field.' }),
        }),
      )
      .openapi({ description: 'The column chosen for each field, and why.' }),
    unused: z.array(unusedColumn).openapi({
      description: 'Columns that are not mapped to a field, with the kind of their first values.',
    }),
    headerless: z.boolean().openapi({
      description:
        'True if the first line is read as data, because `header` is `false` or because the line looks like data.',
    }),
    remembered: rememberedBody.nullable().openapi({
      description:
        'The mapping that the account used last for a file with the same columns. Null if there is none.',
    }),
    earlier: earlierBatchBody.nullable().openapi({
      description:
        'The newest batch of the account with the same file, options and sources. A new batch is charged again unless `max_age` allows its answers to be reused. Null if there is none.',
    }),
    sources: z.array(z.string()).nullable().openapi({
      description:
        'Sources to look companies up in, in order. Null if no source is configured: an upload would be rejected.',
    }),
  })
  .openapi('Check');

/** Data of a check besides the file. */
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
    ...toFormatBody(form),
    containers: [...form.containers],
    quote: form.quote,
    escape: form.escape,
    lines_above: form.linesAbove,
    findings: form.findings.map(inHttpTerms),
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
