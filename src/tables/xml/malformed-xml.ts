import { tableError } from '../records/table-error.ts';
import { XmlError } from '../../xml/decode-entities.ts';

/** Translates an error of the XML in a workbook; any other error is returned as it is. */
export function translateXmlError(error: unknown, fileName: string, place: string | null): unknown {
  if (!(error instanceof XmlError)) return error;
  return tableError(
    fileName,
    place,
    `The XML of the workbook is not well-formed: ${error.message}. Open it in Excel or LibreOffice, and save it again.`,
    { cause: error },
  );
}
