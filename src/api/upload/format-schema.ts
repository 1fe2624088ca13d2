import { z } from '@hono/zod-openapi';
import type { FileForm } from '../../producer/columns/company-file.ts';
import { fileFormats } from '../../producer/formats/file-formats.ts';

/** Fields that describe the format of a file. */
export const formatBody = {
  format: z.enum(fileFormats).openapi({ description: 'Format of the file, by its content.' }),
  sheet: z
    .string()
    .nullable()
    .openapi({ description: 'Name of the sheet that is read. Null for a format without sheets.' }),
  sheets: z
    .array(z.object({ name: z.string(), hidden: z.boolean() }))
    .openapi({ description: 'All sheets of a workbook, in order. Choose one with `sheet`.' }),
  encoding: z.string().nullable().openapi({ description: 'Null for another format than CSV.' }),
  delimiter: z.string().nullable().openapi({ description: 'Null for another format than CSV.' }),
};

type FormatBody = { [Field in keyof typeof formatBody]: z.infer<(typeof formatBody)[Field]> };

export function toFormatBody({
  format,
  sheet,
  sheets,
  encoding,
  delimiter,
}: Pick<FileForm, 'format' | 'sheet' | 'sheets' | 'encoding' | 'delimiter'>): FormatBody {
  return {
    format,
    sheet,
    sheets: sheets.map(({ name, isHidden }) => ({ name, hidden: isHidden })),
    encoding,
    delimiter,
  };
}
