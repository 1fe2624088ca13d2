import { readXml } from '../xml/read-xml.ts';
import { builtinFormat, parseFormat, plainNumber, type NumberFormat } from './number-format.ts';

/** Formats of a workbook: one more than this is a damaged file. Excel allows 65,490. */
const stylesMax = 100_000;

/**
 * Reads the styles of a workbook: for each style, by its number in cells, the effect of its number format.
 *
 * @throws XmlError
 */
export async function readStyles(bytes: AsyncIterable<Buffer>): Promise<readonly NumberFormat[]> {
  const custom = new Map<number, NumberFormat>();
  const styles: NumberFormat[] = [];
  let isInCellFormats = false;
  await readXml(bytes, {
    onOpen(name, tag) {
      if (name === 'cellXfs') isInCellFormats = true;
      else if (name === 'numFmt' && custom.size < stylesMax)
        custom.set(Number(tag.attribute('numFmtId')), parseFormat(tag.attribute('formatCode') ?? ''));
      else if (name === 'xf' && isInCellFormats && styles.length < stylesMax) {
        const id = Number(tag.attribute('numFmtId') ?? 0);
        styles.push(custom.get(id) ?? builtinFormat(id));
      }
    },
    onClose(name) {
      if (name === 'cellXfs') isInCellFormats = false;
    },
    onText() {},
  });
  return styles;
}

/** Returns the format of a cell by its style; a missing or unknown style has none. */
export function formatOf(styles: readonly NumberFormat[], style: string | undefined): NumberFormat {
  return style === undefined ? plainNumber : (styles[Number(style)] ?? plainNumber);
}
