import { buildZip } from './build-zip.ts';

/** Builds an OpenDocument spreadsheet from the XML of its tables. */
export function buildOds(tables: string, styles = ''): Buffer {
  return buildZip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
    {
      name: 'content.xml',
      content:
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:calcext="c">' +
        `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body>` +
        '</office:document-content>',
    },
  ]);
}

/** XML of a cell with a text. */
export const odsText = (content: string): string =>
  `<table:table-cell office:value-type="string"><text:p>${content}</text:p></table:table-cell>`;

/** XML of a row of cells. */
export const odsRow = (...cells: readonly string[]): string =>
  `<table:table-row>${cells.join('')}</table:table-row>`;

/** XML of a sheet. */
export const odsTable = (name: string, rows: string): string =>
  `<table:table table:name="${name}" table:style-name="ta">${rows}</table:table>`;
