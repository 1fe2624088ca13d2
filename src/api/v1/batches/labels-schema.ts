import { z } from '@hono/zod-openapi';
import { batchNameCharsMax, ownerKinds, tagCharsMax, tagsMax } from '../../../core/batches/batch-labels.ts';
import { batchOrigins } from '../../../core/batches/batch-origin.ts';
import { batchStates } from '../../../core/batches/batch.ts';
import { names } from '../../upload/schema.ts';
import { text } from '../../http/text.ts';

const count = z.int().min(0);

/** Labels and origin in the body of a batch. */
export const labelFields = {
  name: z.string().openapi({
    description: 'Name of the batch. By default the name of its file; for a scan, that of its schedule.',
  }),
  tags: z.array(z.string()),
  origin: z
    .object({
      kind: z.enum(batchOrigins),
      id: z.string().nullable(),
      name: z.string().nullable(),
    })
    .nullable()
    .openapi({
      description:
        'How the batch was created: `upload` in the console, `api` with an API key, `cli` by a command, `schedule` as a scan, `inbox` from a file of an inbox, `run_again` from the rows of another batch. `id` and `name` are those of the schedule, inbox or batch. Null for older batches whose origin was not recorded.',
    }),
  owner: z
    .object({ kind: z.enum(ownerKinds), id: z.string(), name: z.string().nullable() })
    .nullable()
    .openapi({
      description:
        'User or API key that created the batch. Null for scans, files of inboxes and older batches.',
    }),
  archived_at: z.iso
    .datetime()
    .nullable()
    .openapi({ description: 'Time at which the batch was archived. Null if it is not archived.' }),
};

const nameField = text()
  .min(1)
  .max(batchNameCharsMax * 2);
const tagField = text()
  .min(1)
  .max(tagCharsMax * 2);

/** Labels of a new batch, as query parameters or as fields of a form. */
export const labelTexts = {
  name: nameField.optional().openapi({ description: 'Name of the batch. Default: the name of the file.' }),
  tags: names
    .pipe(z.array(tagField))
    .optional()
    .openapi({
      description: `Tags of the batch, separated by commas: up to ${tagsMax}, each with up to ${tagCharsMax} characters.`,
      type: 'string',
    }),
};

/** Labels of a new batch in JSON. */
export const labelOptions = {
  name: nameField.optional(),
  tags: z.array(tagField).optional(),
};

/** Changes to the labels of a batch. */
export const batchChanges = z
  .strictObject({
    name: nameField.optional(),
    tags: z
      .array(tagField)
      .max(tagsMax * 5)
      .optional()
      .openapi({
        description: `Replaces all tags: up to ${tagsMax}, each with up to ${tagCharsMax} characters.`,
      }),
    archived: z
      .boolean()
      .optional()
      .openapi({ description: '`true` archives the batch, `false` moves it back to the list.' }),
  })
  .openapi('BatchChanges');

/** Filters of the list of batches, as query parameters. */
export const batchFilters = {
  search: text().max(200).optional().openapi({
    description:
      'Words that all occur in the name, file name, id or tags of the batch. Case does not matter.',
  }),
  tag: tagField.optional(),
  state: names
    .pipe(z.array(z.enum(batchStates)))
    .optional()
    .openapi({
      description: 'States, separated by commas.',
      type: 'string',
    }),
  origin: z.enum(batchOrigins).optional(),
  owner: text()
    .max(300)
    .optional()
    .openapi({ description: 'The id of a user or of a key, the login of a user, or `cli`.' }),
  archived: z.enum(['true', 'false', 'all']).optional().openapi({
    description: '`true`: only archived batches. `all`: archived ones too. Default: `false`.',
  }),
};

/** Numbers of batches for the filters of a list. */
export const batchCounts = z
  .object({
    total: count.openapi({ description: 'Number of batches that match the filters.' }),
    states: z
      .object(
        Object.fromEntries(batchStates.map((state) => [state, count])) as Record<
          (typeof batchStates)[number],
          typeof count
        >,
      )
      .openapi({ description: 'Number by state, without the filter `state`.' }),
    archived: count.openapi({ description: 'Number of archived ones, without the filter `archived`.' }),
    tags: z
      .array(z.object({ tag: z.string(), batches: count }))
      .openapi({ description: 'The 100 most frequent tags, without the filter `tag`.' }),
  })
  .openapi('BatchCounts');
