import { buildZip, type ZipPart } from './build-zip.ts';

/** Sheet of a workbook that a test builds. */
export interface BuiltSheet {
  readonly name: string;
  /** XML within `sheetData`. */
  readonly rows: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
}

/** Workbook that a test builds. All parts are XML as it is in the file. */
export interface BuiltWorkbook {
  readonly sheets: readonly BuiltSheet[];
  /** Texts within `si`. */
  readonly texts?: readonly string[];
  /** Number formats of the styles 0, 1, … of cells: the number of a built-in one, or a code. */
  readonly formats?: readonly (number | string)[];
  readonly isFrom1904?: boolean;
  /** Strict form of OOXML, and a prefix for all elements. */
  readonly isStrict?: boolean;
  readonly extraParts?: readonly ZipPart[];
}

/** Parts of a workbook (ECMA-376 part 1, §18), as Excel names them. */
export function workbookParts(workbook: BuiltWorkbook): readonly ZipPart[] {
  const { sheets, texts = [], formats = [], isStrict = false } = workbook;
  const types = isStrict
    ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = isStrict
    ? 'http://purl.oclc.org/ooxml/spreadsheetml/main'
    : 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relationship = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/${kind}" Target="${target}"/>`;
  const relationships = (body: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${body}</Relationships>`;
  const part = (name: string, body: string) => ({
    name,
    content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n${body}`,
  });
  const sheetList = sheets
    .map(({ name, state }, index) => {
      const shown = state === undefined ? '' : ` state="${state}"`;
      return `<sheet name="${name}" sheetId="${index + 1}"${shown} r:id="rId${index + 1}"/>`;
    })
    .join('');
  const codes = formats.map((format, index) =>
    typeof format === 'number'
      ? ''
      : `<numFmt numFmtId="${164 + index}" formatCode="${format.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"/>`,
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + index}" xfId="0"/>`,
  );
  return [
    part(
      '[Content_Types].xml',
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    part('_rels/.rels', relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml'))),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${types}"><workbookPr${workbook.isFrom1904 === true ? ' date1904="1"' : ''}/>` +
        `<sheets>${sheetList}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relationships(
        sheets
          .map((_, index) => relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
          .join('') +
          relationship('rId900', 'styles', 'styles.xml') +
          relationship('rId901', 'sharedStrings', '/xl/sharedStrings.xml'),
      ),
    ),
    part(
      'xl/styles.xml',
      `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
        `<cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    ),
    part(
      'xl/sharedStrings.xml',
      `<sst xmlns="${main}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ),
    ...sheets.map(({ rows }, index) =>
      part(
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><dimension ref="A1"/><sheetData>${rows}</sheetData><pageMargins left="0.7"/></worksheet>`,
      ),
    ),
    ...(workbook.extraParts ?? []),
  ];
}

/** Builds a workbook. */
export function buildWorkbookFile(workbook: BuiltWorkbook): Buffer {
  return buildZip(workbookParts(workbook));
}

/** Builds a workbook of one sheet from the XML of its rows. */
export function sheetFile(rows: string, options: Omit<BuiltWorkbook, 'sheets'> = {}): Buffer {
  return buildWorkbookFile({ ...options, sheets: [{ name: 'Sheet1', rows }] });
}

/** XML of a row of inline texts. */
export function textRow(...cells: readonly string[]): string {
  return `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;
}
